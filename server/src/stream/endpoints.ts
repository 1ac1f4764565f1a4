import { Type } from "typebox";
import type { Authenticate } from "../http/admission.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { givenKey } from "../http/given-key.ts";
import { Handover } from "../http/handover.ts";
import { CallerError } from "../lib/errors.ts";
import { namesOf, refuseTooMany } from "./channel.ts";
import { type Positions, readEventId } from "./position.ts";
import { beginEvents } from "./sse.ts";
import { findWishes, type WishContext } from "./wishes.ts";

/** What the endpoints need. */
export type StreamContext = WishContext & { authenticate: Authenticate };

const list = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));
const querySchema = Type.Object({
  channels: list,
  channel: list,
  lastEventId: Type.Optional(Type.String()),
});

const nothing: Positions = new Map();

/** Live data as server-sent events. */
export function streamEndpoints(context: StreamContext): Endpoint[] {
  const { hub, authenticate } = context;
  return [
    endpoint({
      method: "GET",
      path: "/v2/stream",
      family: "data",
      actsFor: "subaccounts",
      summary: "Live data as server-sent events, many channels on one connection",
      query: querySchema,
      scope: null,
      mediaType: "text/event-stream",
      status: 200,
      response: Type.String(),
      async handle({ query, headers, caller, userId }) {
        const names = namesOf(query.channels, query.channel);
        if (names.length === 0) {
          throw new CallerError("bad_request", "Required field is missing: channels");
        }
        refuseTooMany(names.length);
        const id = query.lastEventId ?? headers["last-event-id"]?.toString();
        const positions = id ? readEventId(id) : nothing;
        hub.expectRoom(caller.keyId);
        const wishes = await findWishes(context, names, { caller, userId }, positions);
        return new Handover((request, response, head) => {
          const given = givenKey(request);
          const mayStay = async () =>
            given.kind === "key" && (await authenticate(given.key)) !== undefined;
          const outlet = beginEvents(request, response, head);
          const { keyId } = caller;
          const { connection, left } = hub.add({ keyId, transport: "sse", mayStay }, outlet);
          response.on("drain", () => connection.drained());
          response.on("close", left);
          connection.subscribe(wishes);
        });
      },
    }),
  ];
}
