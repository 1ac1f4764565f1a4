import { type Log, openLog } from "../../src/lib/log.ts";

/** Errors that belong to a story in which banks, chains and people do wrong. */
const expected: readonly RegExp[] = [
  /^a transaction stands where it is for too long/,
  /^a payout that its rail took has not been confirmed/,
  /^money could not be sent back and lies in suspense again/,
  /^money in suspense came from a sanctioned sender/,
  /^a refund came back after it had been confirmed/,
  /^the receiver has died or refuses the payment/,
  /^the bank (says that our payment file was wrong|returned a payment with a code)/,
];

/** A log that notes every error that nobody simulated: what the engine survives may still be a bug. */
export function openComplaints(): { log: Log; complaints: string[] } {
  const complaints: string[] = [];
  const log = openLog({
    level: "error",
    pretty: false,
    write(line) {
      const { msg, reason = "" } = JSON.parse(line) as { msg: string; reason?: string | null };
      const isSimulated = String(reason).includes("simulated");
      if (!isSimulated && !expected.some((form) => form.test(msg))) complaints.push(line.trim());
    },
  });
  return { log, complaints };
}
