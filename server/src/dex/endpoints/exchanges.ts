import type { DexBlockchain, DexExchange } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "../../http/endpoint.ts";
import type { DexContext } from "./dex-context.ts";
import { blockchainsOf, servedExchanges } from "./served.ts";

const BlockchainSchema = shapeOf<DexBlockchain>()(
  Type.Object({ id: Type.String(), name: Type.String() }),
);

const ExchangeSchema = shapeOf<DexExchange>()(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    blockchains: Type.Array(BlockchainSchema),
  }),
);

/** Which exchanges are served, and where. */
export function exchangeEndpoints({ chains }: Pick<DexContext, "chains">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/v2/dex",
      family: "data",
      summary: "Decentralized exchanges and the blockchains they are served on",
      scope: "data:read",
      status: 200,
      response: Type.Array(ExchangeSchema),
      handle: () => servedExchanges(chains()),
    }),
    endpoint({
      method: "GET",
      path: "/v2/dex/{exchange}",
      family: "data",
      summary: "Blockchains that a decentralized exchange is served on",
      scope: "data:read",
      params: Type.Object({ exchange: Type.String({ description: "such as `uniswap-v3`" }) }),
      status: 200,
      response: Type.Array(BlockchainSchema),
      handle: ({ params }) => blockchainsOf(chains(), params.exchange),
    }),
  ];
}
