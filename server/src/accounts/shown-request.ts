import type { Endpoint } from "../http/endpoint.ts";
import { scrub } from "../lib/scrub.ts";

const pathLengthMost = 500;
const errorLengthMost = 500;
const errorsMost = 20;
const nameForm = /^[\w.-]{1,40}$/;
/** What every endpoint may be asked beside its own parameters. */
const commonNames = ["userId", "format"];

/**
 * What a request asked for, as it may be kept: without keys and addresses of people. The value of a parameter that the
 * endpoint does not know could be anything, and is masked.
 */
export function shownPath(url: string, { query }: Pick<Endpoint, "query">): string {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const shown = path.split("/").map(maskedPart).join("/");
  if (mark < 0) return cut(shown, pathLengthMost);
  const known = new Set([...commonNames, ...namesIn(query)]);
  const pairs = url.slice(mark + 1).split("&");
  return cut(`${shown}?${pairs.map((pair) => shownPair(pair, known)).join("&")}`, pathLengthMost);
}

/** What an answer said was wrong, a line for each. */
export function shownErrors(problems: readonly string[]): string {
  return problems
    .slice(0, errorsMost)
    .map((problem) => cut(masked(problem), errorLengthMost))
    .join("\n");
}

function shownPair(pair: string, known: ReadonlySet<string>): string {
  const equals = pair.indexOf("=");
  const name = equals < 0 ? pair : pair.slice(0, equals);
  if (known.has(name)) return equals < 0 ? name : `${name}=${maskedPart(pair.slice(equals + 1))}`;
  return nameForm.test(name) ? `${scrub(name)}=***` : "***";
}

function namesIn(query: Endpoint["query"]): string[] {
  return query && "properties" in query ? Object.keys(query.properties as object) : [];
}

/** A part of a URL as it came, unless it says something that is masked. */
function maskedPart(part: string): string {
  const plain = decoded(part);
  const shown = masked(plain);
  return shown === plain ? part : shown;
}

/** A text without keys, e-mail addresses and what cannot be printed. */
function masked(text: string): string {
  return scrub(text)
    .replace(/[^\s"'<>(),;]*@[^\s"'<>(),;]*/g, "***")
    .replace(/\p{Cc}+/gu, " ");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function cut(text: string, lengthMost: number): string {
  return text.length > lengthMost ? `${text.slice(0, lengthMost - 1)}…` : text;
}
