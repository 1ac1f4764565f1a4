import type { Clock } from "../../src/lib/clock.ts";
import type { BankLine } from "../../src/ramp/rails/iso20022/wire-file.ts";
import type { BankLetters } from "./bank-letters.ts";
import type { Happenings } from "./happenings.ts";
import type { Mailbox, Said } from "./mailbox.ts";

/** What is booked; what is left out is nothing. */
type Booking = Pick<BankLine, "direction" | "cents" | "endToEndId"> & Partial<BankLine>;

/** Our account as the bank has it. */
export type BankAccount = {
  balance(): bigint;
  /** What the owners have given us. */
  gifts(): bigint;
  endow(cents: bigint): void;
  /** Books a line, which the next statement tells with everything else of the day. */
  book(booking: Booking, said: readonly Said[]): BankLine;
};

type AccountContext = {
  clock: Clock;
  happenings: Happenings;
  mailbox: Mailbox;
  letters: BankLetters;
};

/** What the owners have on the account in any case, and give us bit by bit. Statements tell it from the beginning. */
export const ownersCents = 10n ** 9n;

const dayMs = 86_400_000;
/** Eleven at night by Greenwich, six in the evening or so in New York. */
const statementsAt = dayMs - 3_600_000;

/** Opens an account with nothing on it. */
export function openBankAccount(context: AccountContext): BankAccount {
  const { clock, happenings, mailbox, letters } = context;
  let gifts = 0n;
  /** What all lines come to, and what those that statements have told do. */
  let booked = 0n;
  let stated = 0n;
  let statedAt: number | undefined;
  let untold: { line: BankLine; said: readonly Said[] }[] = [];
  let count = 0;

  function tellDay(): void {
    const lines = untold.map(({ line }) => line);
    const said = untold.flatMap((one) => one.said);
    const to = clock.now();
    const from = statedAt ?? Math.min(...lines.map(({ bookedAt }) => bookedAt));
    const balances = { openingCents: ownersCents + stated, closingCents: ownersCents + booked };
    mailbox.leave({ ...letters.statement({ from, to, ...balances, lines }), said });
    untold = [];
    stated = booked;
    statedAt = to;
  }

  return {
    balance: () => gifts + booked,
    gifts: () => gifts,
    endow(cents) {
      gifts += cents;
    },
    book(booking, said) {
      const line: BankLine = {
        reference: `LINE${++count}`,
        ...{ isReversal: false, bookedAt: clock.now(), counterparty: null, returnReason: null },
        ...{ texts: [], ...booking },
      };
      booked += line.direction === "credit" ? line.cents : -line.cents;
      if (untold.length === 0) {
        const untilEvening = statementsAt - (clock.now() % dayMs);
        happenings.later(untilEvening > 0 ? untilEvening : untilEvening + dayMs, tellDay);
      }
      untold.push({ line, said });
      return line;
    },
  };
}
