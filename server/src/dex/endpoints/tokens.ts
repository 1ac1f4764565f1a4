import type { DexToken } from "@slipway/sdk";
import { type Static, Type } from "typebox";
import { type Endpoint, endpoint, formerly, shapeOf } from "../../http/endpoint.ts";
import { blockField, pageFields, pageOf } from "../../http/list.ts";
import { CallerError } from "../../lib/errors.ts";
import { withLogos } from "../logo.ts";
import { findToken, listTokens, type TokenFilter, tokenFields } from "../store/read-tokens.ts";
import { Address, AddressParam, addressBytes, addressText } from "./address.ts";
import {
  common,
  type DexContext,
  fresh,
  notFound,
  placeFields,
  refuseLaterBlock,
  under,
} from "./dex-context.ts";
import { placeOf } from "./served.ts";

const text = Type.String();
const TokenSchema = shapeOf<DexToken>()(
  Type.Object({
    id: text,
    name: text,
    symbol: text,
    decimals: text,
    supply: text,
    totalValueLocked: text,
    totalValueLockedUSD: text,
    volume: text,
    volumeUSD: text,
    untrackedVolumeUSD: text,
    txCount: text,
    derivedETH: text,
    feesUSD: text,
    totalValueLockedUSDUntracked: text,
    poolCount: text,
    logo: Type.Optional(text),
  }),
);

const exact = (what: string) =>
  Type.Optional(Type.String({ description: `must be the exact ${what} of a token` }));

const ListQuery = Type.Object({
  ...pageFields(tokenFields),
  tokenSymbol: exact("symbol"),
  tokenId: Type.Optional(Address),
  tokenName: exact("name"),
  tokeName: exact("name"),
  logo: Type.Optional(Type.Boolean({ description: "must be true or false" })),
});

/** Tokens of an exchange: under `/v1` as the specification has them, and under `/v2` to stay. */
export function tokenEndpoints({ db, clock, chains, logoUrl }: DexContext): Endpoint[] {
  const list = endpoint({
    ...common,
    path: `/v2${under}/tokens`,
    maturity: "alpha",
    summary: "Tokens of an exchange, those with the highest volume first",
    description: "`tokeName` is another spelling of `tokenName`.",
    params: Type.Object(placeFields),
    query: ListQuery,
    response: Type.Array(TokenSchema),
    async handle({ params, query, reachedAt }) {
      const place = placeOf(chains(), params);
      const { asOf, found } = await listTokens(
        db,
        place,
        filterOf(query),
        pageOf(query, "volumeUSD"),
      );
      const json = query.logo ? withLogos(found, logoUrl, place.blockchain, reachedAt) : found;
      return fresh(json, asOf, clock);
    },
  });

  const one = endpoint({
    ...common,
    path: `/v2${under}/token/{token}`,
    summary: "One token of an exchange, now or as of a block",
    params: Type.Object({ ...placeFields, token: AddressParam }),
    query: Type.Object(blockField),
    response: TokenSchema,
    async handle({ params, query: { block } }) {
      const place = placeOf(chains(), params);
      const address = addressBytes("token", params.token);
      const { asOf, found } = await findToken(db, place, address, block);
      refuseLaterBlock(place, block, asOf);
      if (found === null) {
        const then = block === undefined ? "" : ` as of block ${block}`;
        throw notFound(`Token ${addressText(address)}${then}`, place, asOf);
      }
      return fresh(found, asOf, clock);
    },
  });

  return [
    formerly(`/v1${under}/tokens`, list),
    formerly(`/v1${under}/token/{token}`, one),
    list,
    one,
  ];
}

function filterOf({
  tokenSymbol,
  tokenId,
  tokenName,
  tokeName,
}: Static<typeof ListQuery>): TokenFilter {
  if (tokenName !== undefined && tokeName !== undefined && tokenName !== tokeName) {
    throw new CallerError("bad_request", "tokenName and tokeName must be the same");
  }
  const name = tokenName ?? tokeName;
  return {
    ...(tokenSymbol === undefined ? {} : { symbol: tokenSymbol }),
    ...(name === undefined ? {} : { name }),
    ...(tokenId === undefined ? {} : { address: addressBytes("tokenId", tokenId) }),
  };
}
