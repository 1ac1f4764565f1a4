import { messageOf } from "../../lib/errors.ts";
import { readBlock } from "../../ramp/rails/evm/evm-answers.ts";
import { type EvmEndpoint, openEvmEndpoint } from "../../ramp/rails/evm/evm-endpoint.ts";
import type { EvmBlock } from "../../ramp/rails/evm/evm-nodes.ts";
import { broken, brokenIf, type Finding, ok } from "./check.ts";
import { clockTrouble } from "./clock.ts";
import { countOf, inWords } from "./words.ts";

/** A chain whose nodes are looked at. */
export type WatchedChain = {
  blockchain: string;
  chainId: number;
  rpcUrls: readonly string[];
  agreeing: number;
  /** Where it stands in the settings: `chains.ethereum`. */
  setting: string;
  /** Names of blocks that the nodes have to know. */
  tags: readonly string[];
};

/** A node that is well. */
type WellNode = { host: string; head: EvmBlock; lacking: readonly string[] };

/** What one node says, or what is wrong with it. */
type Sight = WellNode | { host: string; problem: string; isOther: boolean };

/** A head so much older than another node's, and than our time. */
const behindMostMs = 60_000;
const stillMostMs = 300_000;
/** Miners may be a little ahead of their time. */
const aheadMostMs = 15_000;

/** Asks each node of a chain who it is and how far it has come. */
export async function nodeFindings(
  chain: WatchedChain,
  { now, fetch }: { now: number; fetch?: typeof globalThis.fetch },
): Promise<Finding[]> {
  const endpoints = chain.rpcUrls.map((url) => openEvmEndpoint(url, chain, fetch ? { fetch } : {}));
  try {
    return judge(chain, await Promise.all(endpoints.map((each) => lookAt(each, chain))), now);
  } finally {
    for (const endpoint of endpoints) endpoint.close();
  }
}

async function lookAt(endpoint: EvmEndpoint, { chainId, tags }: WatchedChain): Promise<Sight> {
  const { host } = endpoint;
  try {
    const said = await endpoint.look("eth_chainId");
    if (said !== chainId)
      return { host, problem: `is of chain ${said}, not ${chainId}`, isOther: true };
    const head = readBlock(await endpoint.ask("eth_getBlockByNumber", ["latest", false]));
    if (!head) return { host, problem: "has no block at all", isOther: false };
    const known = await Promise.all(tags.map((tag) => knows(endpoint, tag)));
    return { host, head, lacking: tags.filter((_, index) => !known[index]) };
  } catch (error) {
    return { host, problem: `does not answer: ${messageOf(error)}`, isOther: false };
  }
}

async function knows(endpoint: EvmEndpoint, tag: string): Promise<boolean> {
  try {
    return readBlock(await endpoint.ask("eth_getBlockByNumber", [tag, false])) !== undefined;
  } catch {
    return false;
  }
}

function judge(chain: WatchedChain, sights: readonly Sight[], now: number): Finding[] {
  const { blockchain, agreeing, setting, tags } = chain;
  const answering = sights.filter((sight) => "head" in sight);
  const newestTime = Math.max(...answering.map(({ head }) => head.time));
  const isBehind = ({ head }: WellNode) => (newestTime - head.time) * 1_000 > behindMostMs;
  const well = answering.filter((node) => !isBehind(node));
  const isNeeded = well.length < agreeing;
  const findings: Finding[] = sights.flatMap((sight) =>
    "problem" in sight ? [nodeTrouble(chain, sight, isNeeded)] : [],
  );
  findings.push(
    ...answering.filter(isBehind).map((node) => lateNode(chain, node, newestTime, isNeeded)),
  );
  if (isNeeded) findings.push(tooFew(chain, well.length));
  for (const tag of isNeeded ? [] : tags) {
    const knowing = well.filter(({ lacking }) => !lacking.includes(tag));
    if (knowing.length < agreeing) findings.push(unknownTag(chain, tag, knowing.length));
  }
  if (answering.length === 0) return findings;
  findings.push(...headFindings(blockchain, setting, now - newestTime * 1_000));
  const number = Math.max(...well.map(({ head }) => head.number));
  return findings.length > 0
    ? findings
    : [ok(`${countOf(well.length, "node")}, ${agreeing} of which must agree; block ${number}`)];
}

function nodeTrouble(
  { blockchain, setting }: WatchedChain,
  { host, problem, isOther }: Extract<Sight, { problem: string }>,
  isNeeded: boolean,
): Finding {
  return brokenIf(isNeeded || isOther, {
    what: `The node ${host} ${problem}.`,
    why: isOther
      ? "What it says is about other money, so the service never asks it."
      : `Without it there is one less that can tell what happens on ${blockchain}.`,
    fix: `Check its URL and key in ${setting}.rpcUrls, or put another node there.`,
  });
}

function lateNode(
  { setting }: WatchedChain,
  { host, head }: WellNode,
  newestTime: number,
  isNeeded: boolean,
): Finding {
  return brokenIf(isNeeded, {
    what: `The node ${host} is ${inWords((newestTime - head.time) * 1_000)} behind the others.`,
    why: "What it says is old: nothing new is seen through it.",
    fix: `Look whether it is still syncing, or replace it in ${setting}.rpcUrls.`,
  });
}

function tooFew(
  { blockchain, agreeing, setting, rpcUrls }: WatchedChain,
  wellCount: number,
): Finding {
  return broken({
    what: `${wellCount} of the nodes of ${blockchain} can be used (there are ${rpcUrls.length}), but ${agreeing} must agree.`,
    why: "Nothing that happens there is believed until enough nodes say the same.",
    fix: `Add nodes to ${setting}.rpcUrls, or lower ${setting}.agreeing.`,
  });
}

function unknownTag({ agreeing, setting }: WatchedChain, tag: string, count: number): Finding {
  return broken({
    what: `${countOf(count, "node")} can tell the ${tag} block, but ${agreeing} must agree on it.`,
    why: "Without it no deposit and no payout is ever for good.",
    fix: `Use nodes that know it, or set ${setting}.finality to a number of blocks.`,
  });
}

/** The newest block that anybody knows is about as old as a block takes. */
function headFindings(blockchain: string, setting: string, ageMs: number): Finding[] {
  if (ageMs < -aheadMostMs) return clockTrouble(ageMs, `the newest block of ${blockchain}`);
  if (ageMs <= stillMostMs) return [];
  return [
    broken({
      what: `The newest block of ${blockchain} is ${inWords(ageMs)} old.`,
      why: "The nodes stand still, or our clock is wrong: nothing new is seen.",
      fix: `Compare with a block explorer; then check our clock, or use other nodes in ${setting}.rpcUrls.`,
    }),
  ];
}
