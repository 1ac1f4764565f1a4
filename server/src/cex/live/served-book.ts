import { Ready } from "../../http/ready.ts";
import type { Book } from "../market.ts";
import { type BookSide, flatLevels, OrderBook } from "../order-book.ts";

/** Answers that are kept while the book stays as it is: people ask for few different numbers of levels. */
const answersMost = 4;
/** More than this many levels are written in slices, so that nobody else has to wait long. */
const sliceLevels = 1_000;

/** The book of one market at one moment, and the answers made of it: each is written once, however many ask. */
export class ServedBook {
  readonly exchange: string;
  readonly market: string;
  readonly levels = new OrderBook();
  #nonce: number;
  #answers = new Map<number, Ready | Promise<Ready>>();

  constructor(exchange: string, market: string, { nonce, bids, asks }: Book) {
    this.exchange = exchange;
    this.market = market;
    this.#nonce = nonce;
    this.levels.reset(bids, asks);
  }

  get nonce(): number {
    return this.#nonce;
  }

  /** Makes it the book that follows. */
  change({ nonce, bids, asks }: Book): void {
    this.levels.apply(bids, asks);
    this.#nonce = nonce;
    this.#answers = new Map();
  }

  /** The best `limit` levels of each side as JSON; a long one comes later, as it was when it was asked for. */
  answer(limit: number): Ready | Promise<Ready> {
    const { bids, asks } = this.levels;
    const deepest = Math.min(limit, Math.max(bids.count, asks.count));
    const known = this.#answers.get(deepest);
    if (known) return known;
    const answer = deepest > sliceLevels ? this.#writeSlowly(deepest) : this.#write(deepest);
    this.#keep(deepest, answer);
    return answer;
  }

  #write(limit: number): Ready {
    const { bids, asks } = this.levels;
    return new Ready(`${this.#head()}${sideText(bids, limit)}],"asks":[${sideText(asks, limit)}]}`);
  }

  async #writeSlowly(limit: number): Promise<Ready> {
    const head = this.#head();
    const bids = flatLevels(this.levels.bids, limit);
    const asks = flatLevels(this.levels.asks, limit);
    return new Ready(`${head}${await slowText(bids)}],"asks":[${await slowText(asks)}]}`);
  }

  #head(): string {
    const names = `"exchange":${JSON.stringify(this.exchange)},"market":${JSON.stringify(this.market)}`;
    return `{${names},"nonce":${this.#nonce},"bids":[`;
  }

  #keep(limit: number, answer: Ready | Promise<Ready>): void {
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size < answersMost) break;
      this.#answers.delete(oldest);
    }
    this.#answers.set(limit, answer);
  }
}

/** Adding up text is several times as fast as `JSON.stringify` of the same pairs. */
function sideText(side: BookSide, limit: number): string {
  let text = "";
  side.forEach(limit, (price, size) => {
    text += text === "" ? `[${price},${size}]` : `,[${price},${size}]`;
  });
  return text;
}

async function slowText(levels: readonly number[]): Promise<string> {
  const slices: string[] = [];
  for (let start = 0; start < levels.length; start += 2 * sliceLevels) {
    slices.push(sliceText(levels, start, Math.min(levels.length, start + 2 * sliceLevels)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return slices.join(",");
}

function sliceText(levels: readonly number[], start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at += 2) {
    text +=
      at === start ? `[${levels[at]},${levels[at + 1]}]` : `,[${levels[at]},${levels[at + 1]}]`;
  }
  return text;
}
