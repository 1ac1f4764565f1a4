import type { Answer, Given, Transport } from "./transport.ts";

/**
 * A list: `await` gives the page that was asked for, `for await` every item of this page and of all that follow, and
 * `pages()` the same page by page. Nothing is asked before one of them is.
 */
export type Listing<Page, Item> = Promise<Page> &
  AsyncIterable<Item> & { pages(): AsyncGenerator<Page, void> };

/** How a list is cut into pages. */
export type Paging<Page, Item> = {
  items(page: Page): readonly Item[];
  /** Which options ask for the page after one; none when that was the last. */
  next(given: Given & { limit: number }, page: Page, headers: Headers): Given | undefined;
  /** What tells an item from others, where one may turn up on two pages. */
  nameOf?(item: Item): unknown;
};

/** What walks through a list asks for at once, unless told otherwise. */
const usualLimit = 500;

/** A list whose answers follow each other in this way. */
export function listing<Page, Item>(
  { answer }: Transport,
  path: string,
  given: Given = {},
  paging: Paging<Page, Item>,
): Listing<Page, Item> {
  return new LazyListing((changed) => answer(path, { ...given, ...changed }), given, paging);
}

/** Pages that name the next one in a header: older ones, or newer ones where the list rises. */
export function byCursor<Page, Item>(items: (page: Page) => readonly Item[]): Paging<Page, Item> {
  return {
    items,
    next({ orderDirection, before }, page, headers) {
      const isRising = orderDirection === "asc" || before !== undefined;
      const cursor = headers.get(isRising ? "cb-before" : "cb-after");
      if (cursor === null || items(page).length === 0) return undefined;
      const start = { skip: undefined, before: undefined, after: undefined };
      return { ...start, [isRising ? "before" : "after"]: cursor };
    },
  };
}

/** Pages that are found by counting. What is new shifts them, so the end of one may be the start of the next. */
export function bySkip<Page, Item>(
  items: (page: Page) => readonly Item[],
  nameOf: (item: Item) => unknown,
  lengthOf = (page: Page) => items(page).length,
): Paging<Page, Item> {
  return {
    items,
    nameOf,
    next: ({ skip = 0, limit }, page) =>
      lengthOf(page) < limit ? undefined : { skip: Number(skip) + limit },
  };
}

/** Pages of what is numbered. */
export function bySequence<Page extends { lastSequence: number }, Item>(
  items: (page: Page) => readonly Item[],
): Paging<Page, Item> {
  return {
    items,
    next: ({ limit }, page) =>
      items(page).length < limit ? undefined : { after: page.lastSequence },
  };
}

/** A page that is nothing but its items. */
export function itself<Item>(page: Item[]): Item[] {
  return page;
}

class LazyListing<Page, Item> implements Promise<Page> {
  readonly [Symbol.toStringTag] = "Listing";
  readonly #ask: (changed: Given) => Promise<Answer>;
  readonly #given: Given;
  readonly #paging: Paging<Page, Item>;
  #first: Promise<Page> | undefined;

  constructor(ask: (changed: Given) => Promise<Answer>, given: Given, paging: Paging<Page, Item>) {
    this.#ask = ask;
    this.#given = given;
    this.#paging = paging;
  }

  async *pages(): AsyncGenerator<Page, void> {
    const { limit = usualLimit } = this.#given;
    let changed: Given | undefined = { limit };
    while (changed) {
      const { body, headers } = await this.#ask(changed);
      const page = body as Page;
      yield page;
      const given = { ...this.#given, ...changed, limit: Number(limit) };
      const next = this.#paging.next(given, page, headers);
      changed = next && { limit, ...next };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    const { items, nameOf } = this.#paging;
    let before = new Set<unknown>();
    for await (const page of this.pages()) {
      const own = items(page);
      for (const item of own) if (!nameOf || !before.has(nameOf(item))) yield item;
      if (nameOf) before = new Set(own.map(nameOf));
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting it is asking for its page
  then<Result = Page, Refusal = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Result | Refusal> {
    this.#first ??= this.#ask({}).then(({ body }) => body as Page);
    return this.#first.then(onPage, onError);
  }

  catch<Refusal = never>(
    onError?: ((error: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Page | Refusal> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }
}
