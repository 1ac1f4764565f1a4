/** What a blank line ends: the id that is in force from here on, and the data if there was any. */
export type ServerSentEvent = { data: string | undefined; id: string };

const lineEnd = /\r\n|\n|\r/g;

/** Reads the format of server-sent events, as the HTML standard defines it, from pieces cut anywhere. */
export class SseReader {
  /** How long to wait before connecting again, in milliseconds, where the server said so. */
  retryMs: number | undefined;

  readonly #decoder = new TextDecoder();
  /** The start of a line whose end has not come. */
  #line = "";
  #endedWithReturn = false;
  #data: string[] = [];
  #id: string;

  /** The id that was in force when the connection before broke. */
  constructor(id = "") {
    this.#id = id;
  }

  /** The events that are complete with these bytes. */
  read(bytes: Uint8Array): ServerSentEvent[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return [];
    // The rest of an end of line that was cut in two.
    if (this.#endedWithReturn && text.startsWith("\n")) text = text.slice(1);
    this.#endedWithReturn = text.endsWith("\r");
    const [first = "", ...lines] = text.split(lineEnd);
    this.#line += first;
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      const event = this.#take(this.#line);
      if (event) events.push(event);
      this.#line = line;
    }
    return events;
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #dispatch(): ServerSentEvent {
    const data = this.#data.length > 0 ? this.#data.join("\n") : undefined;
    this.#data = [];
    return { data, id: this.#id };
  }
}
