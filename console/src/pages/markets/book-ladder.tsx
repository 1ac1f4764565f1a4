import type { ReadonlySignal } from "@preact/signals";
import { decimal } from "../../lib/figures.ts";
import { useNow } from "../../lib/use-now.ts";
import { Card } from "../../parts/card.tsx";
import { digitsOf, ladderOf, type Rung, stepsOf } from "./ladder.ts";
import { middleOf, spreadOf } from "./money.ts";
import type { MarketFeed, ShownBook } from "./use-market-feed.ts";
import { useUrlChoice } from "./use-url-choice.ts";

const rowsEach = 14;

/** The order book as a ladder: asks above, bids below, the middle between them. */
export function BookLadder({ feed, base }: { feed: MarketFeed; base: string }) {
  const book = feed.book.value;
  const digits = book ? digitsOf([...book.bids.slice(0, 50), ...book.asks.slice(0, 50)]) : 0;
  const [first = 1, ...more] = stepsOf(digits, (book && middleOf(book)) ?? 1);
  const [chosen, choose] = useUrlChoice("step", [String(first), ...more.map(String)]);
  const step = Number(chosen);
  return (
    <Card
      title="Order book"
      actions={
        <label className="flex items-center gap-2 text-xs text-quiet">
          Step
          <select
            className="min-h-6 rounded border border-line bg-ground px-1 text-text"
            value={chosen}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {[first, ...more].map((each) => (
              <option key={each} value={each}>
                {decimal(each / 10 ** digits, digits)}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {book ? (
        <Ladder book={book} digits={digits} step={step} base={base} />
      ) : (
        <div
          className="h-[40rem] animate-pulse rounded-md bg-raised"
          role="status"
          aria-label="Loading"
        />
      )}
      <BookAge book={feed.book} />
    </Card>
  );
}

type LadderProps = { book: ShownBook; digits: number; step: number; base: string };

function Ladder({ book, digits, step, base }: LadderProps) {
  const options = { digits, step, count: rowsEach };
  const asks = ladderOf(book.asks, "asks", options);
  const bids = ladderOf(book.bids, "bids", options);
  const widest = Math.max(asks.at(-1)?.total ?? 0, bids.at(-1)?.total ?? 0);
  const shown = step === 1 ? digits : Math.max(0, digits - Math.log10(step));
  return (
    <table className="w-full table-fixed border-collapse text-xs" data-book={book.nonce}>
      <caption className="sr-only">Order book: asks above, bids below</caption>
      <thead>
        <tr className="text-quiet">
          <th scope="col" className="pb-1 text-left font-medium">
            Price
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            Size {base}
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        <Rungs rungs={asks} side="asks" widest={widest} digits={shown} />
      </tbody>
      <tbody>
        <tr>
          <td colSpan={3} className="h-10 border-y border-line">
            <Middle book={book} digits={digits} />
          </td>
        </tr>
      </tbody>
      <tbody>
        <Rungs rungs={bids} side="bids" widest={widest} digits={shown} />
      </tbody>
    </table>
  );
}

function Middle({ book, digits }: { book: ShownBook; digits: number }) {
  const middle = middleOf(book);
  if (middle === undefined) return <span className="text-quiet">One side is empty.</span>;
  return (
    <span className="flex items-baseline justify-between gap-2">
      <span className="text-base font-semibold" title="Middle between the best prices">
        {decimal(middle, digits + 1, digits)}
      </span>
      <span className="text-quiet">spread {spreadOf(book)}</span>
    </span>
  );
}

type RungsProps = {
  rungs: readonly Rung[];
  side: "asks" | "bids";
  widest: number;
  digits: number;
};

/** As many rows as there is room for, whether they are filled or not: so nothing moves but the figures. */
function Rungs({ rungs, side, widest, digits }: RungsProps) {
  const places = Array.from({ length: rowsEach }, (_, index) =>
    side === "asks" ? rowsEach - 1 - index : index,
  );
  const colour = side === "asks" ? "text-down" : "text-up";
  const fill = side === "asks" ? "var(--down-fill)" : "var(--up-fill)";
  return (
    <>
      {places.map((place) => {
        const rung = rungs[place];
        const part = rung && widest > 0 ? (100 * rung.total) / widest : 0;
        const background = `linear-gradient(to left, ${fill} ${part.toFixed(1)}%, transparent ${part.toFixed(1)}%)`;
        return (
          <tr key={place} style={{ background }} className="h-5">
            <td className={`truncate ${colour}`}>{rung && decimal(rung.price, digits, digits)}</td>
            <td className="truncate text-right">{rung && sizeText(rung.size)}</td>
            <td className="truncate text-right text-quiet">{rung && sizeText(rung.total)}</td>
          </tr>
        );
      })}
    </>
  );
}

/** Five digits say enough of a size, and leave every row its place. */
function sizeText(size: number): string {
  if (size >= 10_000) return decimal(size, 0);
  return decimal(size, size >= 100 ? 2 : 4, size >= 100 ? 2 : 4);
}

function BookAge({ book }: { book: ReadonlySignal<ShownBook | undefined> }) {
  const now = useNow();
  const shown = book.value;
  if (!shown) return null;
  const age = Math.max(0, now - shown.heardAt);
  return (
    <p className="mt-2 text-xs text-quiet" title="The nonce grows with every change">
      <span className="inline-block">nonce {shown.nonce}</span> · heard{" "}
      {age < 1_500 ? "now" : `${Math.round(age / 1_000)} s ago`}
    </p>
  );
}
