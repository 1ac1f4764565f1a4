import { get, type IncomingMessage } from "node:http";
import type { StreamMessage } from "@slipway/sdk";
import { sandboxKeys } from "../src/accounts/api-key.ts";

type Waiting = { isMet(messages: readonly StreamMessage[]): boolean; resolve(): void };

/** Somebody who listens to server-sent events, and keeps what it hears. */
export class StreamClient {
  readonly messages: StreamMessage[] = [];
  /** The last id that was heard. */
  lastEventId: string | undefined;
  readonly response: IncomingMessage;
  /** Resolves when the stream ends, however that happens. */
  readonly ended: Promise<void>;
  #text = "";
  #waiting: Waiting[] = [];

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#hear(text));
    response.on("error", () => {});
    this.ended = new Promise((resolve) => response.on("close", () => resolve()));
  }

  /** Messages of some types. */
  of<Type extends StreamMessage["type"]>(...types: Type[]): (StreamMessage & { type: Type })[] {
    return this.messages.filter((message): message is StreamMessage & { type: Type } =>
      (types as string[]).includes(message.type),
    );
  }

  /** Resolves when what was heard is so. */
  until(isMet: (messages: readonly StreamMessage[]) => boolean): Promise<void> {
    if (isMet(this.messages)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  /** Resolves when so many messages of a type were heard. */
  untilCount(type: StreamMessage["type"], count: number): Promise<void> {
    return this.until((messages) => messages.filter((each) => each.type === type).length >= count);
  }

  leave(): void {
    this.response.destroy();
  }

  #hear(text: string): void {
    this.#text += text;
    const events = this.#text.split("\n\n");
    this.#text = events.pop() ?? "";
    for (const event of events) this.#hearEvent(event);
    this.#waiting = this.#waiting.filter(({ isMet, resolve }) => {
      const isDone = isMet(this.messages);
      if (isDone) resolve();
      return !isDone;
    });
  }

  #hearEvent(event: string): void {
    for (const line of event.split("\n")) {
      const [, field, value = ""] = /^(\w+): (.*)$/s.exec(line) ?? [];
      if (field === "id") this.lastEventId = value;
      if (field === "data") this.messages.push(JSON.parse(value) as StreamMessage);
    }
  }
}

type ListenOptions = { key?: string; lastEventId?: string | undefined; query?: string };

/** Opens a stream. What is not one is thrown, with its status. */
export async function listen(
  url: string,
  channels: readonly string[],
  { key = sandboxKeys.master, lastEventId, query = "" }: ListenOptions = {},
): Promise<StreamClient> {
  const path = `/v2/stream?channels=${channels.map(encodeURIComponent).join(",")}${query}`;
  const headers = { apiKey: key, ...(lastEventId ? { "last-event-id": lastEventId } : {}) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url + path, { headers, agent: false }, resolve).on("error", reject);
  });
  if (response.statusCode === 200) return new StreamClient(response);
  const body = (await response.setEncoding("utf8").toArray()).join("");
  throw new Error(`${response.statusCode} ${body}`);
}
