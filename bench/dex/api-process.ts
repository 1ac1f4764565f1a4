import type { Address } from "../../server/src/database/address.ts";
import { serveApi } from "../api.ts";
import { obey } from "../process.ts";
import { benchChain } from "./synthetic-chain.ts";

export type ApiOrders = { database: Address };
export type ApiAnswer = { url: string };

obey(
  async ({ database }: ApiOrders): Promise<ApiAnswer> => ({
    url: await serveApi(database, { chains: [benchChain([])] }),
  }),
);
