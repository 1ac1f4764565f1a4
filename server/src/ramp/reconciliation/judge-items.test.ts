import fc from "fast-check";
import { expect, test } from "vitest";
import type { BankBooking, ComparedLine, KnownPayout } from "../store/bank-comparison.ts";
import { itemsOf, type Known, sumOf } from "./bank-items.ts";
import { accountFor, judge, missing } from "./judge-items.ts";

const dayMs = 24 * 3_600_000;
const moment = { statementEnd: 10 * dayMs, now: 10 * dayMs };
const longAgo = new Date(8 * dayMs);

type Payment = { cents: bigint; rail: "ach" | "wire"; isReturned: boolean };

const payments = fc.array(
  fc.record({
    cents: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    rail: fc.constantFrom("ach", "wire"),
    isReturned: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
const wires = fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { minLength: 1, maxLength: 8 });

function line(number: number, reference: string, endToEndId: string | null, cents: bigint) {
  const statement = { statementId: "S1", statementEnd: new Date(10 * dayMs), bookedAt: longAgo };
  return { ...statement, number, reference, endToEndId, cents } satisfies ComparedLine;
}

let lastJournal = 0n;
function booking(about: string, cents: bigint, kind = "known"): BankBooking {
  return { journalId: ++lastJournal, kind, about, at: longAgo, cents };
}

/** What a bank and our books say when all goes well: some wires came, and payouts went out, of which some came back. */
function history(came: readonly bigint[], went: readonly Payment[]): Known {
  const payouts = went.map(
    ({ cents, rail, isReturned }, index): KnownPayout => ({
      ...{ id: `pay-${index}`, rail, cents, trace: `trace-${index}` },
      ...{ state: isReturned ? "returned" : "settled", file: `file-${index % 2}` },
    }),
  );
  const back = payouts.filter(({ state }) => state === "returned");
  const files = ["file-0", "file-1"].flatMap((name) => {
    const inside = payouts.filter(({ rail, file }) => rail === "ach" && file === name);
    return inside.length > 0 ? [{ name, cents: sumOf(inside) }] : [];
  });
  const lines: [reference: string, endToEndId: string | null, cents: bigint][] = [
    ...came.map((cents, index): [string, null, bigint] => [`IMAD${index}`, null, cents]),
    ...files.map(({ name, cents }): [string, string, bigint] => [`sum ${name}`, name, -cents]),
    ...payouts
      .filter(({ rail }) => rail === "wire")
      .map(({ id, cents }): [string, string, bigint] => [`out ${id}`, id, -cents]),
    ...back.map(({ id, trace, cents }): [string, string | null, bigint] => [
      ...([`back ${id}`, trace, cents] as const),
    ]),
  ];
  return {
    wires: came.map((_, index) => ({ id: `wir-${index}`, reference: `IMAD${index}` })),
    payouts,
    lines: lines.map((each, index) => line(index + 1, ...each)),
    bookings: [
      ...came.map((cents, index) => booking(`wir-${index}`, cents)),
      ...payouts.map(({ id, cents }) => booking(id, -cents)),
      ...back.map(({ id, cents }) => booking(id, cents)),
    ],
    otherBookings: [],
  };
}

const judged = (known: Known) => itemsOf(known).map((item) => judge(item, moment));
const wrongIn = (known: Known) => judged(known).filter(({ verdict }) => verdict !== "equal");

test("when both sides have the same, whatever happened, nothing is open", () => {
  fc.assert(
    fc.property(wires, payments, (came, went) => {
      expect(wrongIn(history(came, went))).toEqual([]);
    }),
  );
});

test("what came back before it was paid, and was heard of too late, needs no line", () => {
  const flags = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(wires, payments, flags, (came, went, isUnmoved) => {
      const known = history(came, went);
      const unmoved = known.payouts.filter(
        ({ rail, state }, index) => rail === "ach" && state === "returned" && isUnmoved[index],
      );
      const lines = known.lines
        .filter(({ endToEndId }) => !unmoved.some(({ trace }) => trace === endToEndId))
        .map((line) => {
          const unpaid = sumOf(unmoved.filter(({ file }) => file === line.endToEndId));
          return { ...line, cents: line.cents + unpaid };
        })
        .filter(({ cents }) => cents !== 0n);
      expect(wrongIn({ ...known, lines })).toEqual([]);
    }),
  );
});

/** What can go wrong with one line, and what the bank then says too much of. */
const damages: Record<string, (lines: ComparedLine[], at: number) => ComparedLine[]> = {
  missing: (lines, at) => lines.filter((_, index) => index !== at),
  twice: (lines, at) => lines.flatMap((each, index) => (index === at ? [each, each] : [each])),
  "a cent more": (lines, at) =>
    lines.map((each, index) => (index === at ? { ...each, cents: each.cents + 1n } : each)),
  "a cent less": (lines, at) =>
    lines.map((each, index) => (index === at ? { ...each, cents: each.cents - 1n } : each)),
};

test.each(Object.entries(damages))(
  "one line %s is the one thing that is wrong, to the cent",
  (_, damage) => {
    fc.assert(
      fc.property(wires, payments, fc.nat(), (came, went, chosen) => {
        const known = history(came, went);
        const at = chosen % known.lines.length;
        const lines = damage([...known.lines], at).filter(({ cents }) => cents !== 0n);
        const open = wrongIn({ ...known, lines });
        expect(open).toMatchObject([{ verdict: "wrong" }]);
        expect(open.map(missing)).toEqual([sumOf(lines) - sumOf(known.lines)]);
      }),
    );
  },
);

test("every line and every booking is in one item, so that no cent is lost between them", () => {
  fc.assert(
    fc.property(wires, payments, fc.bigInt({ min: 1n, max: 99n }), (came, went, strange) => {
      const known = history(came, went);
      const all = {
        ...known,
        lines: [...known.lines, line(99, "fee", "whatever", -strange)],
        otherBookings: [booking("mistake", strange)],
      };
      const sums = judged(all);
      expect(sumOf(sums.map(({ theirs }) => ({ cents: theirs })))).toBe(sumOf(all.lines));
      const booked = sumOf([...all.bookings, ...all.otherBookings]);
      expect(sumOf(sums.map(({ ours }) => ({ cents: ours })))).toBe(booked);
      expect(sums.filter(({ verdict }) => verdict === "wrong")).toHaveLength(2);
    }),
  );
});

test("a sender who names a payout of ours in a wire changes nothing", () => {
  const known = history([500n], [{ cents: 500n, rail: "wire", isReturned: false }]);
  const lines = known.lines.map((each) => ({ ...each, endToEndId: "pay-0" }));
  expect(wrongIn({ ...known, lines })).toEqual([]);
});

test("each adjustment accounts for one thing of its amount, and opposite ones for each other", () => {
  const nothing = { wires: [], payouts: [], bookings: [] };
  const lines = [line(1, "fee", null, -25n), line(2, "fee", null, -25n)];
  const adjust = (cents: bigint) => booking("adj-1", cents, "adjustment");
  const otherBookings = [adjust(-25n), adjust(7n), adjust(-7n), adjust(3n)];
  const { explained, left } = accountFor(judged({ ...nothing, lines, otherBookings }));
  const namesOf = (all: typeof left) => all.map(({ item }) => item.name);
  const journals = otherBookings.map(({ journalId }) => `journal:${journalId}`);
  expect(namesOf(explained)).toEqual([journals[0], "line:S1/1", journals[1], journals[2]]);
  expect(namesOf(left)).toEqual(["line:S1/2", journals[3]]);
  expect(sumOf(explained.map((each) => ({ cents: missing(each) })))).toBe(0n);
});
