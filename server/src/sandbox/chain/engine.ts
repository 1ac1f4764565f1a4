import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  PRAGUE,
  type ProviderConfig,
} from "@nomicfoundation/edr";
import { hexToBytes, numberToHex } from "viem";
import type { Hex } from "../../chains/hex.ts";
import { actors } from "./layout.ts";
import { chainId } from "./sandbox-deployment.ts";

/** What somebody wants to have done. Without `to` it makes a contract. */
export type Transaction = { from: Hex; to?: Hex; data: Hex; value?: bigint; gas: bigint };

/** An event of a subscription: its id, and what happened. */
export type Notice = { subscription: Hex; result: unknown };

type Answered<Result> = { result: Result } | { error: { code: number; message: string } };

/** An error that JSON-RPC has a number for. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** An EVM in this process. It mines only when told to, and the same requests always give the same chain. */
export type Engine = {
  /** The answer to a request, as JSON: `{"result":…}` or `{"error":…}`. */
  answer(method: string, params: readonly unknown[]): Promise<string>;
  /** The result of a request, in the form that the engine gives it. Throws an `RpcError`. */
  request<Result>(method: string, params: readonly unknown[]): Promise<Result>;
  /** Resolves when nothing is under way. The engine must not be left before: its thread would take the process along. */
  settle(): Promise<void>;
};

const gasLimit = 60_000_000n;
const firstBaseFee = 1_000_000_000n;
const maxFeePerGas = numberToHex(100_000_000_000n);
const maxPriorityFeePerGas = numberToHex(100_000_000n);
const etherEach = 10n ** 18n * 250_000n;
const coinbase = "0x51b2a4c0ffee0000000000000000000000000001";

/** The library allows one per process. */
let context: Promise<EdrContext> | undefined;

/** Makes a chain whose first block has this time and in which every actor has Ether. */
export async function openEngine(
  genesisTime: number,
  onNotice: (notice: Notice) => void,
): Promise<Engine> {
  context ??= openContext();
  const provider = await (await context).createProvider(
    L1_CHAIN_TYPE,
    configFor(genesisTime),
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    {
      subscriptionCallback: ({ filterId, result }) =>
        onNotice({ subscription: numberToHex(filterId), result }),
    },
    new ContractDecoder(),
  );
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: at once they would still wait for each other, each in a thread with megabytes of its own. */
  function answer(method: string, params: readonly unknown[]): Promise<string> {
    const request = JSON.stringify({ id: 1, method, params });
    const answered = last.then(async () => {
      const { data } = await provider.handleRequest(request);
      return typeof data === "string" ? data : JSON.stringify(data);
    });
    last = answered.catch(() => {});
    return answered;
  }

  return {
    answer,
    request: async (method, params) => resultIn(await answer(method, params)),
    async settle() {
      await last;
    },
  };
}

/** What an answer holds. Throws the error that it holds instead. */
export function resultIn<Result>(answer: string): Result {
  const answered = JSON.parse(answer) as Answered<Result>;
  if ("result" in answered) return answered.result;
  throw new RpcError(answered.error.code, answered.error.message);
}

/** A transaction as the engine takes it. */
export function toRequest({ from, to, data, value, gas }: Transaction): Record<string, unknown> {
  return {
    from,
    ...(to && { to }),
    data,
    value: numberToHex(value ?? 0n),
    gas: numberToHex(gas),
    maxFeePerGas,
    maxPriorityFeePerGas,
  };
}

async function openContext(): Promise<EdrContext> {
  const opened = new EdrContext();
  await opened.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return opened;
}

function configFor(genesisTime: number): ProviderConfig {
  return {
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    // As a real node does: a transaction that fails is in its block, with status 0.
    bailOnTransactionFailure: false,
    chainId: BigInt(chainId),
    coinbase: hexToBytes(coinbase),
    defaultTransactionGasLimit: 10_000_000n,
    genesisState: [
      ...l1GenesisState(l1HardforkFromString(PRAGUE)),
      ...actors.map(({ address }) => ({ address: hexToBytes(address), balance: etherEach })),
    ],
    hardfork: PRAGUE,
    initialBaseFeePerGas: firstBaseFee,
    initialParentBeaconBlockRoot: new Uint8Array(32),
    minGasPrice: 0n,
    mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: MineOrdering.Fifo } },
    network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: BigInt(genesisTime) },
    networkId: BigInt(chainId),
    observability: {},
    ownedAccounts: actors.map(({ key }) => key),
    precompileOverrides: [],
  };
}
