import { errorOf, reasonOf, SlipwayError, UnreachableError } from "./errors.ts";
import { isPassing, pauseAfter } from "./retry.ts";
import { type ServerSentEvent, SseReader } from "./sse.ts";
import type { StreamChannel, StreamMessage } from "./stream-shapes.ts";
import { sleep } from "./surroundings.ts";
import { queryOf, readAnswer, type Transport } from "./transport.ts";

/** How a stream is to be read. */
export type StreamOptions = {
  /** Goes on after the message with this id: `lastEventId` of an earlier stream. */
  lastEventId?: string;
  /** A subaccount, whose ramp to listen to. */
  userId?: string;
  /** Ends the stream, and with it the loop that reads it. */
  signal?: AbortSignal;
  /** Called whenever the connection stands. */
  onOpen?: () => void;
  /** Called whenever the connection broke and another is about to be made. */
  onBreak?: (reason: unknown) => void;
};

/** How it has gone so far. */
type Course = {
  /** Connections in a row on which nothing came. */
  failures: number;
  wasOpen: boolean;
};

/** The server says something every 15 seconds. */
const silenceMs = 40_000;

/** Listens to channels. Nothing is asked before the stream is read. */
export function openStream(
  transport: Transport,
  channels: readonly StreamChannel[],
  options: StreamOptions = {},
): SlipwayStream {
  return new SlipwayStream(transport, channels, options);
}

/**
 * Messages, read with `for await`. A connection that breaks is made again, and goes on where it was. Nothing is read
 * faster than the loop takes it.
 */
export class SlipwayStream implements AsyncIterable<StreamMessage> {
  /** The id of the last message that the loop was given, from which another stream can go on. */
  lastEventId: string | undefined;

  readonly #transport: Transport;
  readonly #path: string;
  readonly #options: StreamOptions;
  #retryMs: number | undefined;

  constructor(transport: Transport, channels: readonly StreamChannel[], options: StreamOptions) {
    this.lastEventId = options.lastEventId;
    this.#transport = transport;
    this.#path = `/v2/stream${queryOf({ channels: channels.join(","), userId: options.userId })}`;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamMessage, void> {
    const course = { failures: 0, wasOpen: false };
    let reason: unknown;
    do reason = yield* this.#messages(course);
    while (await this.#pause(course, reason));
  }

  /** The messages of one connection. Returns why it broke. */
  async *#messages(course: Course): AsyncGenerator<StreamMessage, unknown> {
    try {
      for await (const { data, id } of this.#events()) {
        course.wasOpen = true;
        course.failures = 0;
        this.lastEventId = id || undefined;
        if (data !== undefined) yield JSON.parse(data) as StreamMessage;
        if (this.#options.signal?.aborted) break;
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Waits before the next connection. Says no when there is to be none. */
  async #pause(course: Course, reason: unknown): Promise<boolean> {
    const { onBreak, signal } = this.#options;
    const { surroundings, retries } = this.#transport;
    if (signal?.aborted) return false;
    const { failures, wasOpen } = course;
    // Who never got through is told why; who did waits until the service is back.
    if (!isPassing(reason) || (!wasOpen && failures >= retries)) throw reason;
    onBreak?.(reason);
    const usual = pauseAfter(reason, failures, surroundings);
    // When a service stops, all who listened to it are told the same.
    const told = (this.#retryMs ?? 0) * (1 + surroundings.random() / 2);
    const pause = failures === 0 ? Math.max(usual, Math.round(told)) : usual;
    await sleep(surroundings, pause, signal).catch(() => undefined);
    course.failures++;
    return !signal?.aborted;
  }

  /** One connection, from its first event until it breaks: it never just ends. */
  async *#events(): AsyncGenerator<ServerSentEvent, void> {
    const { signal, onOpen } = this.#options;
    const { baseUrl, surroundings } = this.#transport;
    const ending = new AbortController();
    const end = () => ending.abort(signal?.reason);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    /** Waits for something from the server, but not for ever. */
    const heard = async <Value>(value: Promise<Value>): Promise<Value> => {
      const cancel = surroundings.after(silenceMs, () => ending.abort());
      return value.finally(cancel);
    };
    try {
      const body = await heard(this.#connect(ending.signal));
      onOpen?.();
      const events = new SseReader(this.lastEventId);
      const chunks = body.getReader();
      for (;;) {
        const { done, value } = await heard(chunks.read());
        if (done) throw new UnreachableError(`${baseUrl} ended the stream`);
        yield* events.read(value);
        this.#retryMs = events.retryMs;
      }
    } catch (cause) {
      if (cause instanceof SlipwayError || cause instanceof UnreachableError) throw cause;
      const silence = `: it was silent for ${silenceMs / 1_000} s`;
      const reason = ending.signal.aborted ? silence : `: ${reasonOf(cause)}`;
      throw new UnreachableError(`No stream from ${baseUrl}${reason}`, cause);
    } finally {
      ending.abort();
      signal?.removeEventListener("abort", end);
    }
  }

  async #connect(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { open, surroundings } = this.#transport;
    const { lastEventId } = this;
    const headers = {
      accept: "text/event-stream",
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    };
    const response = await open(this.#path, headers, signal);
    const { body, ok, status } = response;
    if (!ok) {
      const answer = await readAnswer(response);
      throw errorOf(status, answer.headers, answer.body, surroundings.now());
    }
    const type = response.headers.get("content-type") ?? "";
    if (body && type.startsWith("text/event-stream")) return body;
    const messages = ["The answer is no stream. Is this the address of a Slipway?"];
    throw new SlipwayError({ status, messages });
  }
}
