import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { hex } from "../../server/test/fake-chain.ts";
import { obey } from "../process.ts";
import { type BlockOrders, type SyntheticBlock, syntheticBlocks } from "./synthetic-blocks.ts";

export type BlocksAnswer = { url: string };

type Request = { id: number; method: string; params: [string | { blockHash: string }] };

const partsAsked: Record<string, "header" | "full" | "logs" | "receipts"> = {
  eth_getBlockByNumber: "header",
  eth_getBlockByHash: "full",
  eth_getLogs: "logs",
  eth_getBlockReceipts: "receipts",
};

/** A node that has its answers ready, so that whoever asks is measured and not the node. */
obey(async (orders: BlockOrders): Promise<BlocksAnswer> => {
  const blocks = syntheticBlocks(orders);
  const byName = new Map<string, SyntheticBlock>(
    blocks.flatMap((block) => [
      [block.hash, block],
      [hex(block.number), block],
    ]),
  );
  const head = blocks.at(-1);

  function resultOf({ method, params: [which] }: Request): string {
    if (method === "eth_chainId") return `"0x1"`;
    const name = typeof which === "string" ? which : which.blockHash;
    const block = name === "latest" ? head : byName.get(name);
    return block?.[partsAsked[method] ?? "header"] ?? "null";
  }

  const server = createServer(async (request, response) => {
    const asked: Request = JSON.parse(await text(request));
    const body = `{"jsonrpc":"2.0","id":${asked.id},"result":${resultOf(asked)}}`;
    const headers = { "content-type": "application/json", "content-length": body.length };
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});
