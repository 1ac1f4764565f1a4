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
  /^payments should be settled by now and their file has not reached the bank/,
  /^a deposit could not be carried to the hot wallet/,
  /^a file of the bank makes no sense and was refused as a whole/,
];

/** What a file of the bank's may have that a person looks at: it was rejected, or one of another day is late. */
const expectedProblem = /^(the bank rejected|statement STATEMENT\d+ ends with .* missing$)/;

/** A log that notes every error that nobody simulated: what the engine survives may still be a bug. */
export function openComplaints(): { log: Log; complaints: string[] } {
  const complaints: string[] = [];
  const log = openLog({
    level: "error",
    pretty: false,
    write(line) {
      const said = JSON.parse(line) as { msg: string; reason?: string; problem?: string };
      const isSimulated = String(said.reason).includes("simulated");
      const isExpected =
        expected.some((form) => form.test(said.msg)) || isExpectedProblem(said.problem);
      if (!isSimulated && !isExpected) complaints.push(line.trim());
    },
  });
  return { log, complaints };
}

function isExpectedProblem(problem = ""): boolean {
  const problems = problem.split("; ");
  return problems.every((one) => expectedProblem.test(one));
}
