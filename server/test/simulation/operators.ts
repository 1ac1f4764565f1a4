import { sql } from "../../src/database/sql.ts";
import { assert } from "../../src/lib/errors.ts";
import { applyStep } from "../../src/ramp/engine.ts";
import { matchWire, nameSender, returnDeposit, returnWire } from "../../src/ramp/incoming.ts";
import { actionsFor, operatorActions, stepOf } from "../../src/ramp/operator-decisions.ts";
import { approveBankFile, withdrawBankFile } from "../../src/ramp/rails/bank/held-files.ts";
import type { Actor, Step } from "../../src/ramp/step.ts";
import { clearKillSwitch, setKillSwitch } from "../../src/ramp/store/kill-switches.ts";
import type { Ramp } from "../../src/ramp/transaction.ts";
import type { Story } from "./story.ts";

const by: Actor = "operator:key-1";
const note = "simulated";

/** Decides something about a transaction: mostly what is possible. */
export async function decide(story: Story, ramp: Ramp): Promise<void> {
  const { chance, world } = story;
  if (ramp.type === "ON_RAMP" && ramp.wireId !== null && chance.isTrue(0.2))
    await askForSender(story, ramp.wireId);
  const possible = actionsFor(ramp, world.market, world.clock.now());
  const action = chance.pick(possible.length > 0 ? possible : operatorActions);
  const decision = { by, note, prices: world.market };
  const step = stepOf(action, ramp, decision);
  if (step) await apply(story, ramp, step);
}

/** Asks the bank from which account a wire came. */
async function askForSender(story: Story, wireId: string): Promise<void> {
  await story.ask(`operator asks who sent ${wireId}`, async (tx, context) => {
    const [wire] = await tx.query<{ reference: string }>(sql`
      select bank_reference as reference from incoming_wires where id = ${wireId}`);
    const sender = wire && story.world.bank.senders.get(wire.reference);
    assert(sender, "the bank knows who sent a wire");
    await nameSender(tx, context, wireId, sender);
  });
}

/** Stops a transaction, or notes that the sender's bank wants its wire back. */
export async function hold(story: Story, ramp: Ramp): Promise<void> {
  const reason = story.chance.pick(["operator", "recalled"] as const);
  await apply(story, ramp, { kind: "held", reason, note });
}

async function apply(story: Story, ramp: Ramp, step: Step): Promise<void> {
  const what = step.kind === "held" ? `${step.kind} ${step.reason}` : step.kind;
  await story.ask(`operator: ${what}, ${ramp.id} that is ${ramp.state}`, (tx, context) =>
    applyStep(tx, context, ramp.id, step),
  );
}

/** Gives a wire in suspense to somebody, or sends a wire or a deposit back. */
export async function tidySuspense(story: Story): Promise<void> {
  const { chance, ramps } = story;
  await story.ask("operator looks at what lies in suspense", async (tx, context) => {
    const wires = await tx.query<{ id: string }>(sql`
      select id from incoming_wires where state = 'suspense' order by id`);
    const deposits = await tx.query<{ id: string }>(sql`
      select id from deposits where use = 'suspense' order by id`);
    const items = [...wires, ...deposits].map(({ id }) => id);
    if (items.length === 0) return;
    const id = chance.pick(items);
    const ramp = chance.pick(ramps);
    if (id.startsWith("dep-")) await returnDeposit(tx, context, id, by);
    else if (chance.isTrue(0.6)) await matchWire(tx, context, id, ramp.id, by);
    else await returnWire(tx, context, id, by);
    story.tell(`  ${id}, perhaps for ${ramp.id}`);
  });
}

/** Approves files that are held for it, all of them or one; one may be taken back instead. */
export async function seeToFiles(story: Story, which: "all" | "one"): Promise<void> {
  const { chance, heldFiles } = story;
  if (heldFiles === 0) return;
  await story.ask("operator sees to files that are held", async (tx, context) => {
    const held = await tx.query<{ id: string }>(sql`
      select id from bank_files where state = 'held' order by id`);
    for (const { id } of which === "all" ? held : held.slice(0, 1)) {
      if (which === "one" && chance.isTrue(0.3)) await withdrawBankFile(tx, context, id, note);
      else await approveBankFile(tx, context, id, "key-1");
    }
  });
}

/** Switches something off or on again. */
export async function flipSwitch(story: Story): Promise<void> {
  const name = story.chance.pick(["payouts", "rail:ach", "rail:chain", "token:ETH"]);
  await story.ask(`operator flips the switch ${name}`, async (tx, { clock }) => {
    if (await clearKillSwitch(tx, name)) return;
    await setKillSwitch(tx, { name, reason: note, setBy: by, setAt: new Date(clock.now()) });
  });
}
