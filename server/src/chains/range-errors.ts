import { matchesAny } from "./rpc-errors.ts";

/** What a provider's refusal of a range of logs tells us. An empty one only says: less. */
export type RangeAdvice = {
  /** It never takes more blocks than this. */
  mostBlocks?: number;
  /** It never gives more logs than this. */
  mostLogs?: number;
  /** This many blocks, from the first one asked for, would have been answered. */
  fittingBlocks?: number;
};

/** As providers write numbers: `10000`, `10,000`, `10.000`, `2K`. */
const count = String.raw`(\d+(?:[,.]\d{3})*(?:k\b)?)`;
const block = String.raw`(0x[0-9a-f]+|\d+)`;

/** Texts that are about the range, whether or not they name a limit. */
const aboutRange = [
  /block range|blocks? ranges?|ranges? (?:is |was )?too|ranges? over|range \d+|range limit|range allowed|max range/,
  /too many blocks|blocks distance|block span|requested blocks|query must be smaller than/,
  /(?:at most|limited to) (?:an? )?(?:0 ?- ?)?[\d,.]+k? blocks?/,
  /eth_getlogs (?:and \w+ )?(?:is|are|requests? (?:is|are)) limited to/,
];

/** Texts that are about how much there would be to answer, or how long it would take. */
const aboutSize = [
  /more than [\d,.]+k? (?:results|logs)|max(?:imum)? results|too many (?:results|logs)|logs matched/,
  /response (?:size|is too|too)|(?:response|result|body|payload|content|answer) (?:is )?too (?:large|big|long)/,
  /larger than \d+ ?mb|size (?:limit )?exceeded|exceeds? (?:the )?(?:max|maximum|limit).*(?:size|bytes)/,
  /query (?:timeout|timed out)|execution timeout|reduc\w+ (?:your|the) block range|narrow/,
];

/** Texts with such words that are about blocks which the node does not have. */
const aboutHead =
  /beyond|future|head block|latest block|unknown block|not found|invalid block range/;

/** Where the limit stands, when one is named. */
const blockLimits = [
  new RegExp(`limited to (?:an? |0 ?- ?)?${count}`, "g"),
  new RegExp(String.raw`max(?:imum)?\b[^\d>]{0,45}${count}`, "g"),
  new RegExp(String.raw`limit(?: of| is|:|=)? ?(?:\w+ ){0,4}${count}`, "g"),
  new RegExp(String.raw`\(\d+ > ${count}\)`, "g"),
  new RegExp(`(?:greater than|larger than|exceeds|than size|over|up to an?|at most) ${count}`, "g"),
];

const logLimits = [
  new RegExp(`more than ${count} (?:results|logs)`),
  new RegExp(`max(?:imum)? results:? ${count}`),
  new RegExp(`logs matched by query exceeds limit of ${count}`),
  new RegExp(`cap of ${count} logs`),
];

const suggestion = new RegExp(
  String.raw`(?:range should work|with this block range|with the range):? *\[?${block}(?:, *| *- *)${block}`,
);

/** Longer texts are not read to their end: they are somebody else's. */
const readMost = 2_000;

/** What a refusal of `blocks` blocks means, or nothing when it is about something else. */
export function readRangeError(text: string, blocks: number): RangeAdvice | undefined {
  const lower = text.slice(0, readMost).toLowerCase();
  const isAboutSize = matchesAny(aboutSize, lower);
  const isAboutRange = matchesAny(aboutRange, lower);
  if (aboutHead.test(lower) || (!isAboutRange && !isAboutSize)) return undefined;

  const advice: RangeAdvice = {};
  const fittingBlocks = suggestedBlocks(lower);
  if (fittingBlocks !== undefined && fittingBlocks < blocks) advice.fittingBlocks = fittingBlocks;
  const mostLogs = firstCount(logLimits, lower);
  if (mostLogs !== undefined) advice.mostLogs = mostLogs;
  // A text about size may name a range as well, but then as a way out, not as the rule that was broken.
  const mostBlocks = isAboutSize ? undefined : namedLimit(lower, blocks);
  if (mostBlocks !== undefined) advice.mostBlocks = mostBlocks;
  return advice;
}

/** The largest number that is named as a limit and was really exceeded. */
function namedLimit(text: string, blocks: number): number | undefined {
  const named = blockLimits
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, digits = ""]) => toCount(digits))
    .filter((limit) => limit >= 1 && limit < blocks);
  return named.length > 0 ? Math.max(...named) : undefined;
}

function firstCount(patterns: readonly RegExp[], text: string): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1];
    if (digits && toCount(digits) >= 1) return toCount(digits);
  }
  return undefined;
}

function suggestedBlocks(text: string): number | undefined {
  const [, from, to] = suggestion.exec(text) ?? [];
  const blocks = Number(to) - Number(from) + 1;
  return Number.isSafeInteger(blocks) && blocks >= 1 ? blocks : undefined;
}

function toCount(digits: string): number {
  const plain = Number(digits.replaceAll(/[,.k]/g, ""));
  return digits.endsWith("k") ? plain * 1_000 : plain;
}
