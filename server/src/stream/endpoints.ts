import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Type } from "typebox";
import type { Authenticate } from "../http/admission.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { givenKey } from "../http/given-key.ts";
import { Handover } from "../http/handover.ts";
import { CallerError } from "../lib/errors.ts";
import { namesOf, refuseTooMany } from "./channel.ts";
import type { Wish } from "./connection.ts";
import type { Transport } from "./hub.ts";
import { type Positions, readEventId } from "./position.ts";
import { answerRequest } from "./requests.ts";
import { beginEvents } from "./sse.ts";
import { becomeWebSocket, isUpgrade, webSocketOutlet } from "./websocket.ts";
import { type Asker, findWishes, type WishContext } from "./wishes.ts";

/** What the endpoints need. */
export type StreamContext = WishContext & { authenticate: Authenticate };

const nameList = Type.Union([Type.String(), Type.Array(Type.String())]);
const querySchema = Type.Object({
  channels: Type.Optional({
    ...nameList,
    description:
      "Names of channels with commas between, at most 100; it may be given several times",
  }),
  channel: Type.Optional({ ...nameList, description: "The same" }),
  lastEventId: Type.Optional(
    Type.String({
      description: "Where to go on, for those who cannot send the header Last-Event-ID",
    }),
  ),
});
type Query = {
  channels?: string | string[];
  channel?: string | string[];
  lastEventId?: string;
};

const common = {
  method: "GET",
  family: "data",
  scope: null,
  actsFor: "subaccounts",
  query: querySchema,
  status: 200,
} as const;

const channelsText =
  "Channels are `cex.trades:{exchange}:{market}`, `cex.book:{exchange}:{market}`, " +
  "`cex.candles:{exchange}:{market}:{timeframe}`, `dex.swaps:{exchange}:{blockchain}:{pool}`, " +
  "`dex.bars:{exchange}:{blockchain}:{pool}:{timeframe}`, `ramp.transactions` and " +
  "`ramp.transactions:{transactionId}`; market data needs the scope `data:read`, the ramp `ramp:read`. ";

/** Live data: as server-sent events, and over WebSockets. */
export function streamEndpoints(context: StreamContext): Endpoint[] {
  const { hub, authenticate, log } = context;

  function wishesOf(query: Query, headers: IncomingHttpHeaders, asker: Asker): Promise<Wish[]> {
    const names = namesOf(query.channels, query.channel);
    refuseTooMany(names.length);
    const id = query.lastEventId ?? headers["last-event-id"]?.toString();
    const positions: Positions = id ? readEventId(id) : new Map();
    hub.expectRoom(asker.caller.keyId);
    return findWishes(context, names, asker, positions);
  }

  function clientOf(request: IncomingMessage, { caller }: Asker, transport: Transport) {
    const given = givenKey(request);
    const mayStay = async () => {
      const now = given.kind === "key" ? await authenticate(given.key) : undefined;
      return now !== undefined && [...caller.scopes].every((scope) => now.scopes.has(scope));
    };
    return { keyId: caller.keyId, transport, mayStay };
  }

  function beginStream(wishes: readonly Wish[], asker: Asker) {
    return (request: IncomingMessage, response: ServerResponse, head: string[]) => {
      const outlet = beginEvents(request, response, head);
      if (request.method === "HEAD" || response.destroyed) {
        for (const { release } of wishes) release();
        response.end();
        return;
      }
      const { connection, left } = hub.add(clientOf(request, asker, "sse"), outlet);
      response.on("drain", () => connection.drained());
      response.on("close", left);
      connection.subscribe(wishes);
    };
  }

  function beginWebSocket(wishes: readonly Wish[], asker: Asker) {
    return (request: IncomingMessage, response: ServerResponse) => {
      if (response.destroyed) {
        for (const { release } of wishes) release();
        return;
      }
      becomeWebSocket(request, response, (client, socket) => {
        const outlet = webSocketOutlet(client, socket);
        const { connection, left } = hub.add(clientOf(request, asker, "websocket"), outlet);
        const find = (names: readonly string[], positions: Positions) =>
          findWishes(context, names, asker, positions);
        let last = Promise.resolve();
        client.on("message", (data) => {
          // One after the other, and no more is read meanwhile.
          client.pause();
          last = last
            .then(() => answerRequest(data.toString(), { connection, find, log }))
            .finally(() => client.resume());
        });
        client.on("error", () => {});
        client.on("close", left);
        socket.on("drain", () => connection.drained());
        connection.subscribe(wishes);
      });
    };
  }

  return [
    endpoint({
      ...common,
      path: "/v2/stream",
      summary: "Live data as server-sent events, many channels on one connection",
      description:
        `${channelsText}Each event is a JSON message; its \`id\` is a position. Whoever connects again with the last ` +
        "one, which browsers do by themselves, gets the trades, swaps and ramp events in between, or is told what " +
        "is missing; books, candles and bars come as they are then. A `ping` comes every 15 seconds.",
      mediaType: "text/event-stream",
      response: Type.String(),
      async handle({ query, headers, caller, userId }) {
        refuseOtherTypes(headers.accept);
        if (namesOf(query.channels, query.channel).length === 0) {
          throw new CallerError("bad_request", "Required field is missing: channels");
        }
        const asker = { caller, userId };
        const wishes = await wishesOf(query, headers, asker);
        return new Handover(beginStream(wishes, asker));
      },
    }),
    endpoint({
      ...common,
      path: "/v2/ws",
      summary: "The same over a WebSocket, where channels can be changed on the way",
      description:
        `${channelsText}Send \`{"action":"subscribe","channels":[…],"lastEventId":…}\` or the same with ` +
        "`unsubscribe`; messages are those of `/v2/stream`, with the id as their first field.",
      response: Type.String(),
      async handle({ query, headers, caller, userId }) {
        if (!isUpgrade({ headers })) {
          throw new CallerError(
            "bad_request",
            "This is a WebSocket: connect with ws: or wss:, or use GET /v2/stream for server-sent events.",
          );
        }
        const asker = { caller, userId };
        const wishes = await wishesOf(query, headers, asker);
        return new Handover(beginWebSocket(wishes, asker));
      },
    }),
  ];
}

function refuseOtherTypes(accept: string | undefined): void {
  if (accept === undefined || /text\/event-stream|text\/\*|\*\/\*/i.test(accept)) return;
  throw new CallerError(
    "not_acceptable",
    "This is a stream of server-sent events: Accept must allow text/event-stream.",
  );
}
