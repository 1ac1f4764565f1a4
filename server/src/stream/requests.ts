import type { StreamRequest } from "@slipway/sdk";
import { CallerError, messageOf, UnavailableError } from "../lib/errors.ts";
import { isObject } from "../lib/is-object.ts";
import type { Log } from "../lib/log.ts";
import { namesOf, refuseTooMany } from "./channel.ts";
import type { Connection, Wish } from "./connection.ts";
import { Message, saying } from "./message.ts";
import { type Positions, readEventId } from "./position.ts";

type RequestContext = {
  connection: Connection;
  find(names: readonly string[], positions: Positions): Promise<Wish[]>;
  log: Log;
};

const form =
  'must be {"action":"subscribe","channels":["cex.book:kraken:BTC-USD"]}, with a lastEventId if there is one, ' +
  'or the same with "unsubscribe"';

/** Does what somebody says over a WebSocket. What cannot be done is told, and nothing else happens. */
export async function answerRequest(text: string, context: RequestContext): Promise<void> {
  try {
    const request = readRequest(text);
    const names = namesOf(request.channels);
    if (request.action === "subscribe") await subscribe(names, request.lastEventId, context);
    else for (const name of names) unsubscribe(name, context);
  } catch (error) {
    complain(context, error);
  }
}

async function subscribe(
  names: readonly string[],
  lastEventId: string | undefined,
  context: RequestContext,
): Promise<void> {
  const { connection, find } = context;
  const positions: Positions = lastEventId ? readEventId(lastEventId) : new Map();
  const others = names.filter((name) => !connection.has(name));
  refuseTooMany(connection.count + others.length);
  for (const name of names.filter((name) => connection.has(name))) {
    connection.send(saying("subscribed", { resumed: false }).to(name));
  }
  const found = await Promise.all(
    others.map((name) =>
      find([name], positions).catch((error) => {
        complain(context, error, name);
        return [];
      }),
    ),
  );
  const wishes = found.flat();
  if (connection.isClosed) for (const { release } of wishes) release();
  else connection.subscribe(wishes);
}

function unsubscribe(name: string, { connection }: RequestContext): void {
  if (!connection.drop(name)) {
    throw new CallerError("bad_request", `channel ${name} is not listened to`);
  }
  connection.send(saying("unsubscribed").to(name));
}

function complain({ connection, log }: RequestContext, error: unknown, channel?: string): void {
  connection.send(
    new Message(JSON.stringify({ type: "error", channel, message: sentenceOf(error, log) })),
  );
}

function sentenceOf(error: unknown, log: Log): string {
  if (error instanceof CallerError) return error.message;
  if (error instanceof UnavailableError) return `${error.message} Try again in a moment.`;
  log.error({ reason: messageOf(error) }, "a request over a WebSocket failed; this is a bug");
  return "Something went wrong on our side.";
}

function readRequest(text: string): StreamRequest {
  const request = parsed(text);
  if (!isObject(request)) throw new CallerError("bad_request", `A message ${form}.`);
  const { action, channels, lastEventId } = request;
  if (action !== "subscribe" && action !== "unsubscribe") {
    throw new CallerError("bad_request", "action must be subscribe or unsubscribe");
  }
  if (!isTexts(channels) || channels.length === 0) {
    throw new CallerError("bad_request", "channels must be an array of names of channels");
  }
  if (action === "unsubscribe" || lastEventId === undefined) return { action, channels };
  if (typeof lastEventId === "string") return { action, channels, lastEventId };
  throw new CallerError("bad_request", "lastEventId must be the id of a message");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
