import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer that the endpoint goes on with by itself, from its first byte on. */
export class Handover {
  readonly begin: Begin;

  constructor(begin: Begin) {
    this.begin = begin;
  }
}

/** `headers` is a flat list of names and values: what every answer of the endpoint says. */
type Begin = (request: IncomingMessage, response: ServerResponse, headers: string[]) => void;
