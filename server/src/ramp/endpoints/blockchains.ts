import { Type } from "typebox";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Ready } from "../../http/ready.ts";
import { blockchains } from "../blockchains.ts";
import type { Ports } from "../ports.ts";

/** Names of the blockchains that money can be on. */
export function blockchainEndpoints({ serves }: Pick<Ports, "serves">): Endpoint[] {
  const body = new Ready(JSON.stringify(blockchains.filter(serves)));
  return [
    endpoint({
      method: "GET",
      path: "/v2/ramp/blockchains",
      family: "ramp",
      actsFor: "self",
      maturity: "alpha",
      summary: "Blockchains the ramp supports",
      scope: "ramp:read",
      status: 200,
      response: Type.Array(Type.String()),
      handle: () => body,
    }),
  ];
}
