import fc from "fast-check";
import { expect, test } from "vitest";
import type { Log } from "../../chains/chain.ts";
import type { Hex } from "../../chains/hex.ts";
import { packLogs, unpackLogs } from "./raw-logs.ts";

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);

/** Words as logs have them: small numbers, negative ones, and anything. */
const word = fc.oneof(
  fc.bigInt(-(2n ** 64n), 2n ** 64n),
  fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n),
  fc.constantFrom(0n, -1n, 1n, -(2n ** 255n)),
);
const wordText = word.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, "0"));

const event = fc.record({
  address: fc.oneof(bytes(20), fc.constant<Hex>(`0x${"ab".repeat(20)}`)),
  topics: fc.array(
    wordText.map((text): Hex => `0x${text}`),
    { minLength: 1, maxLength: 4 },
  ),
  data: fc.array(wordText, { maxLength: 7 }).map((words): Hex => `0x${words.join("")}`),
  transactionHash: fc.oneof(bytes(32), fc.constant<Hex>(`0x${"cd".repeat(32)}`)),
  isNewBlock: fc.boolean(),
  blocksOn: fc.integer({ min: 1, max: 2 ** 40 }),
  time: fc.integer({ min: 0, max: 2 ** 40 }),
  blockHash: bytes(32),
});

test("logs come back as they were packed", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const logs: Log[] = [];
      for (const { isNewBlock, blocksOn, time, blockHash, ...rest } of events) {
        const last = logs.at(-1);
        const block =
          last && !isNewBlock ? last : { block: (last?.block ?? 0) + blocksOn, time, blockHash };
        const index = last && !isNewBlock ? last.index + 1 : 0;
        logs.push({
          block: block.block,
          time: block.time,
          blockHash: block.blockHash,
          index,
          ...rest,
        });
      }
      expect([...unpackLogs(packLogs(logs))]).toEqual(logs);
    }),
  );
});
