import { type Signal, signal } from "@preact/signals";
import { createContext } from "react";
import type { SentRequest } from "./session.ts";

const keptMost = 12;

/** The requests behind what a page shows, each once, the newest last. */
export class Requests {
  readonly sent: Signal<readonly SentRequest[]> = signal([]);

  readonly note = (request: SentRequest): void => {
    const others = this.sent.peek().filter((each) => !isSame(each, request));
    if (others.length === this.sent.peek().length || request.method !== "GET") {
      this.sent.value = [...others, request].slice(-keptMost);
    }
  };
}

function isSame(one: SentRequest, other: SentRequest): boolean {
  return one.method === other.method && one.path === other.path;
}

/** The requests of the page that is shown. */
export const PageRequests = createContext(new Requests());
