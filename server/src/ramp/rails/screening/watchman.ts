import type { Clock } from "../../../lib/clock.ts";
import { UnavailableError } from "../../../lib/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import { keepAnswers } from "../../../lib/kept-answers.ts";
import { askJson } from "../../../lib/outgoing/ask-json.ts";
import type { Screening, Verdict } from "../../ports.ts";

type WatchmanOptions = {
  url: string;
  /** From how alike names count as the same, 0.5 to 1. */
  minMatch: number;
  /** The world's: lists have dates. */
  clock: Clock;
  fetch?: typeof fetch;
  timeoutMs?: number;
};

/** Somebody on a list, as far as we look. */
type Listed = { names: readonly string[]; wallets: readonly string[]; match: number };

/** Lists are kept apart by these, and searched one at a time. */
const kinds = ["person", "business", "organization"] as const;
/** Lists that nobody has fetched anew for so long are not believed. */
const listsOldestMs = 3 * 24 * 3_600_000;
const answersServeMs = 60_000;
/** A name alone counts for little there, so that we are shown more than we take for the same, and look ourselves. */
const shownFrom = 0.5;
const shownMost = 20;
const answerBytesMost = 4 * 1_048_576;
/** How the lists call what lies at an address; the first stands for any. */
const currencies: Readonly<Record<string, readonly string[]>> = {
  bitcoin: ["", "XBT"],
  solana: ["", "SOL", "USDC", "USDT"],
};
const evmCurrencies = ["", "ETH", "USDT", "USDC", "BSC", "ARB"];

/** Screening by a Watchman server, which holds the lists of sanctioned people, firms and wallets. */
export function watchmanScreening(options: WatchmanOptions): Screening {
  const { minMatch, clock, timeoutMs = 10_000 } = options;
  const base = options.url.replace(/\/+$/, "");
  const keepLists = keepAnswers<void>(clock, answersServeMs);
  const keepVerdict = keepAnswers<Verdict>(clock, answersServeMs);

  async function ask(path: string): Promise<unknown> {
    const { fetch } = options;
    const question = { url: `${base}${path}`, timeoutMs, answerBytesMost, fetch };
    const { status, json } = await askJson(question);
    if (status === 200) return json;
    throw unusable(`it answers ${status}`);
  }

  /** Nobody is found on lists that are not there. */
  async function checkLists(): Promise<void> {
    const info = await ask("/v2/listinfo");
    const fault = listsFault(info, clock.now());
    if (fault) throw unusable(fault);
  }

  async function search(parameters: readonly [string, string][]): Promise<Listed[]> {
    await keepLists("lists", checkLists);
    const found = kinds.map(async (type) => {
      const query = new URLSearchParams([
        ...parameters,
        ["type", type],
        ["minMatch", String(Math.min(minMatch, shownFrom))],
        ["limit", String(shownMost)],
      ]);
      return listedIn(await ask(`/v2/search?${query}`));
    });
    return (await Promise.all(found)).flat();
  }

  async function verdictOf(
    parameters: readonly [string, string][],
    isSame: (listed: Listed) => boolean,
  ): Promise<Verdict> {
    const found = await search(parameters);
    return found.some((each) => each.match >= minMatch || isSame(each)) ? "sanctioned" : "clear";
  }

  return {
    async person(name) {
      const own = wordsOf(name);
      const isSame = ({ names }: Listed) =>
        own !== "" && names.some((each) => wordsOf(each) === own);
      const load = () => verdictOf([["name", name]], isSame);
      return (await keepVerdict(`name ${name}`, load)).value;
    },
    async wallet(blockchain, address) {
      const codes = currencies[blockchain] ?? evmCurrencies;
      const asked = codes.map((code): [string, string] => ["cryptoAddress", `${code}:${address}`]);
      const own = address.toLowerCase();
      const isSame = ({ wallets }: Listed) => wallets.some((each) => each.toLowerCase() === own);
      return (await keepVerdict(`wallet ${address}`, () => verdictOf(asked, isSame))).value;
    },
  };
}

function listsFault(info: unknown, now: number): string | undefined {
  if (!isObject(info) || !isObject(info.lists)) return "it does not say which lists it has";
  const lists = Object.entries(info.lists);
  if (lists.length === 0) return "it has no lists";
  const [empty] = lists.filter(([, count]) => typeof count !== "number" || !(count > 0));
  if (empty) return `its list ${empty[0]} is empty`;
  const at = typeof info.endedAt === "string" ? Date.parse(info.endedAt) : Number.NaN;
  return now - at <= listsOldestMs ? undefined : "its lists are more than 3 days old";
}

/** Reads who was found. Whatever has not the agreed form is no answer. */
function listedIn(answer: unknown): Listed[] {
  if (!isObject(answer)) throw unusable("its answer has not the agreed form");
  const { entities } = answer;
  // Nobody found is written as null.
  if (entities === null) return [];
  if (!Array.isArray(entities)) throw unusable("its answer has not the agreed form");
  return entities.map(readListed);
}

function readListed(entity: unknown): Listed {
  if (!isObject(entity) || typeof entity.match !== "number") {
    throw unusable("its answer has not the agreed form");
  }
  const details = kinds.map((kind) => entity[kind]).filter(isObject);
  const names = [entity.name, ...details.flatMap(({ name, altNames }) => [name, altNames])].flat();
  const { cryptoAddresses } = entity;
  const wallets = Array.isArray(cryptoAddresses) ? cryptoAddresses : [];
  return {
    match: entity.match,
    names: names.filter((name) => typeof name === "string"),
    wallets: wallets.flatMap((each) =>
      isObject(each) && typeof each.address === "string" ? [each.address] : [],
    ),
  };
}

/** The words of a name without accents, case and order: surnames come first on some lists. */
function wordsOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .sort()
    .join(" ");
}

function unusable(why: string): UnavailableError {
  return new UnavailableError(`Watchman cannot be relied on: ${why}.`);
}
