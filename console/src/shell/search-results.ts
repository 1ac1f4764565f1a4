/** Something that was found, and where it is: a page of the console, or an address of its own. */
export type Found = {
  /** Results of the same kind stand together. */
  kind: string;
  title: string;
  note?: string;
  path: string;
  /** Not a page of the console. */
  isOutside?: boolean;
};

/** Something that can be found by its words. */
export type Findable = Found & { words: string };

const eachMost = 6;

/** The best of what has every word that is looked for: what begins with them before what only has them inside. */
export function findIn(
  items: readonly Findable[],
  wanted: string,
  most: number = eachMost,
): Found[] {
  const words = wanted
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
  if (words.length === 0) return [];
  return items
    .map((item) => ({ item, rank: rankOf(item.words.toLowerCase(), words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .slice(0, most)
    .map(({ item: { words: _, ...found } }) => found);
}

/** Less is better; nothing when a word is missing. */
function rankOf(text: string, words: readonly string[]): number | undefined {
  const places = words.map((word) => text.indexOf(word));
  if (places.includes(-1)) return undefined;
  const first = words[0] ?? "";
  const isWhole = text.split(/[\s/-]+/).includes(first);
  return (places[0] === 0 ? 0 : 2) + (isWhole ? 0 : 1) + text.length / 10_000;
}

type IdPage = { kind: string; path: (id: string) => string };

/** Where things are shown by the prefix of their ids. */
const idPages: Record<string, readonly IdPage[]> = {
  txn: [
    { kind: "Transaction", path: (id) => `/ramp/transactions/${id}` },
    { kind: "Transaction, as the operator sees it", path: (id) => `/operator/transactions/${id}` },
  ],
  whk: [{ kind: "Webhook", path: (id) => `/developer/webhooks/${id}` }],
  usr: [
    { kind: "Account, as the operator sees it", path: (id) => `/operator/verifications/${id}` },
  ],
  wal: [{ kind: "Wallet", path: () => "/ramp/methods" }],
  bac: [{ kind: "Bank account", path: () => "/ramp/methods" }],
};

/** The pages that show what has this id. */
export function pagesOfId(wanted: string): Found[] {
  const [, prefix = "", digits] = /^([a-z]{3})-(\d{1,20})$/.exec(wanted.trim().toLowerCase()) ?? [];
  if (digits === undefined) return [];
  const id = `${prefix}-${digits}`;
  return (idPages[prefix] ?? []).map(({ kind, path }) => ({
    kind: "By id",
    title: id,
    note: kind,
    path: path(id),
  }));
}

/** Whether this is the address of a contract. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text.trim());
}

type Operation = { tags?: string[]; summary?: string };
type Description = { paths: Record<string, Record<string, Operation>> };

/** The API's endpoints, to be found by path or by what they do. */
export function endpointsOf({ paths }: Description): Findable[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags = [], summary = "" }]) => {
      const title = `${method.toUpperCase()} ${path}`;
      const tag = (tags[0] ?? "").toLowerCase().replaceAll(" ", "-");
      return {
        kind: "API",
        title,
        note: summary,
        path: `/docs#tag/${tag}/${method.toUpperCase()}${path}`,
        isOutside: true,
        words: `${path} ${summary} ${method}`,
      };
    }),
  );
}
