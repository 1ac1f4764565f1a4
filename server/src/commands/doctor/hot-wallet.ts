import type { Queryable } from "../../database/database.ts";
import { messageOf } from "../../lib/errors.ts";
import { formatDecimal } from "../../lib/money.ts";
import type { EvmNodes } from "../../ramp/rails/evm/evm-nodes.ts";
import type { ChainToken, RampChain } from "../../ramp/rails/evm/ramp-chain.ts";
import { broken, type Finding, ok, warning } from "./check.ts";
import { findSender, type SenderFacts } from "./store/questions.ts";
import { countOf, inWords } from "./words.ts";

type WalletContext = {
  chain: RampChain;
  nodes: Pick<EvmNodes, "balance" | "fees" | "nonce">;
  /** Nothing when there is no database to compare with. */
  db: Queryable | undefined;
  now: number;
};

/** What a transfer of a token takes, and how many of them there should be gas for. */
const transferGas = 65_000n;
const transfersLeast = 10n;
/** No block takes a transaction that has waited for so long, or somebody holds it up. */
const waitMostMs = 30 * 60_000;

type Holding = { token: ChainToken; units: bigint };

/** Whether the hot wallet has what it pays out, gas to do so, and sends nothing that we know nothing of. */
export async function hotWalletFindings(context: WalletContext): Promise<Finding[]> {
  const { chain } = context;
  try {
    return await lookAtWallet(context);
  } catch (error) {
    return [
      broken({
        what: messageOf(error),
        why: `Nobody can say what the hot wallet on ${chain.blockchain} holds, so nothing is paid out there.`,
        fix: `See what is said of the nodes, and check ramp.rails.chains.${chain.blockchain}.rpcUrls.`,
      }),
    ];
  }
}

async function lookAtWallet(context: WalletContext): Promise<Finding[]> {
  const { chain, nodes } = context;
  const holdings = await Promise.all(
    chain.tokens.map(async (token) => ({
      token,
      units: await nodes.balance(chain.hotWallet, token, "latest"),
    })),
  );
  const { maxFee } = await nodes.fees();
  const findings = [
    ...gasFindings(chain, holdings, maxFee * transferGas * transfersLeast),
    ...holdings.flatMap((holding) => floorFindings(chain, holding)),
    ...(await nonceFindings(context)),
  ];
  return findings.length > 0 ? findings : [ok(inventoryOf(chain, holdings))];
}

function gasFindings(
  { blockchain, hotWallet }: RampChain,
  holdings: readonly Holding[],
  least: bigint,
): Finding[] {
  const coin = holdings.find(({ token }) => token.contract === undefined);
  if (!coin || coin.units >= least) return [];
  const { symbol, decimals } = coin.token;
  const trouble = {
    what: `The hot wallet ${hotWallet} has ${formatDecimal(coin.units, decimals)} ${symbol}.`,
    why: `It pays for gas on ${blockchain}: this is not enough for ${transfersLeast} payouts, and without any nothing can be paid out.`,
    fix: `Send ${symbol} to it on ${blockchain}.`,
  };
  return [coin.units === 0n ? broken(trouble) : warning(trouble)];
}

function floorFindings(
  { blockchain, hotWallet, limits }: RampChain,
  { token: { symbol, decimals }, units }: Holding,
): Finding[] {
  const floor = limits[symbol]?.floor ?? 0n;
  if (floor === 0n || units > floor) return [];
  return [
    warning({
      what: `The hot wallet has ${formatDecimal(units, decimals)} ${symbol}, and ${formatDecimal(floor, decimals)} must stay in it.`,
      why: `No ${symbol} is paid out on ${blockchain} until there is more.`,
      fix: `Send ${symbol} to ${hotWallet}, or lower ramp.rails.chains.${blockchain}.limits.${symbol}.floor.`,
    }),
  ];
}

async function nonceFindings({ chain, nodes, db, now }: WalletContext): Promise<Finding[]> {
  const sender = db && (await findSender(db, chain.blockchain, chain.hotWallet));
  // Nothing was ever sent from it by us.
  if (!sender) return [];
  const used = BigInt(await nodes.nonce(chain.hotWallet, "latest"));
  if (used > sender.nextNonce) {
    return [
      broken({
        what: `The hot wallet ${chain.hotWallet} has sent ${used} transactions on ${chain.blockchain}, but we know of ${sender.nextNonce}.`,
        why: "Somebody else has its key, or another Slipway uses the same wallet: money may be leaving that is not in the books.",
        fix: "Find out who sent them. Until then switch payouts off: POST /operator/killSwitches with the name `payouts`.",
      }),
    ];
  }
  return waitingFindings(chain, sender, now);
}

function waitingFindings(
  { blockchain }: RampChain,
  { underWay, oldest }: SenderFacts,
  now: number,
): Finding[] {
  const waitedMs = oldest ? now - oldest.getTime() : 0;
  if (waitedMs <= waitMostMs) return [];
  return [
    warning({
      what: `${countOf(underWay, "transaction")} of the hot wallet wait for a block, the oldest for ${inWords(waitedMs)}.`,
      why: "Each waits for the one before it, so later payouts wait too.",
      fix: `Look whether the role ramp runs, whether the wallet has gas, and what the nodes of ${blockchain} say in the log.`,
    }),
  ];
}

function inventoryOf({ hotWallet }: RampChain, holdings: readonly Holding[]): string {
  const held = holdings
    .filter(({ units }) => units > 0n)
    .map(({ token, units }) => `${formatDecimal(units, token.decimals)} ${token.symbol}`);
  return `${hotWallet} has ${held.join(", ")}`;
}
