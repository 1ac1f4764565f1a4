import { hash } from "node:crypto";
import { CallerError } from "../lib/errors.ts";

/** Where a connection is on each of its durable channels, by the tag of the channel. */
export type Positions = ReadonlyMap<string, string>;

const version = "1";
const tagLength = 8;
const lengthMost = 12_000;
/** What `encodeURIComponent` leaves as it is, and what it makes of the rest. */
const positionForm = /^([A-Za-z0-9_-]{8}):([A-Za-z0-9_.!~*'()%-]+)$/;

/** A short name for a channel of an account, as it was spelled. Positions of others are not taken for it. */
export function tagOf(channel: string, userId: string | undefined): string {
  return hash("sha256", `${userId ?? ""} ${channel}`, "base64url").slice(0, tagLength);
}

/** The id of a message: everything it takes to go on from there, on any machine and after any restart. */
export function eventIdOf(positions: Iterable<readonly [tag: string, position: string]>): string {
  let id = version;
  for (const [tag, position] of positions) id += `,${tag}:${encodeURIComponent(position)}`;
  return id;
}

/** Reads such an id; what is none is 400. */
export function readEventId(id: string): Positions {
  const [given, ...entries] = id.split(",");
  const positions = new Map<string, string>();
  if (given !== version || id.length > lengthMost) throw notAnEventId();
  for (const entry of entries) {
    const [, tag, encoded] = positionForm.exec(entry) ?? [];
    if (tag === undefined || encoded === undefined) throw notAnEventId();
    positions.set(tag, decoded(encoded));
  }
  return positions;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notAnEventId();
  }
}

/** Says that an id is not one of ours. */
export function notAnEventId(): CallerError {
  return new CallerError(
    "bad_request",
    "lastEventId, or the header Last-Event-ID, must be the id of a message of this stream; leave it out to begin with what is new",
  );
}
