/** A message as bytes: made once, however many connections it goes to. */
export class Message {
  readonly json: string;
  #event: Buffer | undefined;
  #frame: Buffer | undefined;

  constructor(json: string) {
    this.json = json;
  }

  /** As a server-sent event without an id. */
  get event(): Buffer {
    this.#event ??= Buffer.from(`data: ${this.json}\n\n`);
    return this.#event;
  }

  /** As the content of a WebSocket frame without an id. */
  get frame(): Buffer {
    this.#frame ??= Buffer.from(this.json);
    return this.#frame;
  }
}

/**
 * What is said on a channel. Those who listen to the same may have spelled it differently, and each hears its own
 * spelling: there is one message for each.
 */
export class Saying {
  readonly #type: string;
  readonly #fields: string;
  readonly #messages = new Map<string, Message>();

  /** `fields` is JSON without its braces: what comes after the type and the channel. */
  constructor(type: string, fields: string) {
    this.#type = type;
    this.#fields = fields;
  }

  to(channel: string): Message {
    const known = this.#messages.get(channel);
    if (known) return known;
    const head = `{"type":"${this.#type}","channel":${JSON.stringify(channel)}`;
    const message = new Message(`${head}${this.#fields && `,${this.#fields}`}}`);
    this.#messages.set(channel, message);
    return message;
  }
}

/** The same with fields that are not JSON yet. */
export function saying(type: string, fields: object = {}): Saying {
  return new Saying(type, JSON.stringify(fields).slice(1, -1));
}
