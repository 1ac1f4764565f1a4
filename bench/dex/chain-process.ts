import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Hex } from "../../server/src/chains/hex.ts";
import { hex } from "../../server/test/fake-chain.ts";
import { callToken } from "../../server/test/fake-node.ts";
import { obey } from "../process.ts";
import { type SyntheticChain, syntheticChain } from "./synthetic-chain.ts";

export type ChainOrders = { swaps: number };
export type ChainAnswer = { url: string };

type Filter = {
  fromBlock: string;
  toBlock: string;
  blockHash?: string;
  address?: string | string[];
};
type Request = { id: number; method: string; params: [never, never] };

const tellEvery = 250_000;

/** A node that has its answers ready, so that whoever asks is measured and not the node. */
obey(async ({ swaps }: ChainOrders): Promise<ChainAnswer> => {
  const chain = syntheticChain(swaps, (done) => {
    if (done % tellEvery === 0) console.log(`  ${done} swaps are on the chain`);
  });
  const server = createServer(async (request, response) => {
    const body: Request | Request[] = JSON.parse((await buffer(request)).toString());
    const answer = Array.isArray(body)
      ? listOf(body.map((each) => reply(chain, each)))
      : reply(chain, body);
    const length = answer.reduce((sum, part) => sum + part.length, 0);
    response.writeHead(200, { "content-type": "application/json", "content-length": length });
    response.end(Buffer.concat(answer, length));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

function listOf(replies: Buffer[][]): Buffer[] {
  const separated = replies.flatMap((each, index) =>
    index === 0 ? each : [Buffer.from(","), ...each],
  );
  return [Buffer.from("["), ...separated, Buffer.from("]")];
}

function reply(chain: SyntheticChain, request: Request): Buffer[] {
  const result = resultOf(chain, request);
  const outcome =
    result === undefined ? `"error":{"code":3,"message":"execution reverted"}` : `"result":`;
  return [
    Buffer.from(`{"jsonrpc":"2.0","id":${request.id},${outcome}`),
    ...(result ?? []),
    Buffer.from("}"),
  ];
}

function resultOf(chain: SyntheticChain, { method, params }: Request): Buffer[] | undefined {
  const numbered = (tag: string) => (tag.startsWith("0x") ? Number(tag) : chain.head);
  switch (method) {
    case "eth_chainId":
      return json(hex(1));
    case "eth_blockNumber":
      return json(hex(chain.head));
    case "eth_getBlockByNumber":
      return [Buffer.from(chain.block(numbered(params[0]), params[1]))];
    case "eth_getLogs":
      return logsOf(chain, params[0]);
    case "eth_call": {
      const { to, data } = params[0] as { to: Hex; data: Hex };
      const result = callToken(chain.exchange.tokens, to, data);
      return result && json(result);
    }
    default:
      return undefined;
  }
}

/** Logs of a single block by its hash are only asked for at the head, where there are none. */
function logsOf(
  chain: SyntheticChain,
  { fromBlock, toBlock, blockHash, address }: Filter,
): Buffer[] {
  if (blockHash) return json([]);
  const addresses = address === undefined ? undefined : new Set([address].flat());
  const logs = chain.logs(Number(fromBlock), Number(toBlock), addresses);
  return [Buffer.from("["), ...logs, Buffer.from("]")];
}

function json(value: unknown): Buffer[] {
  return [Buffer.from(JSON.stringify(value))];
}
