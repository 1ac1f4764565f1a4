import type { RampTransaction, Slipway } from "@slipway/sdk";
import type { Tools } from "@slipway/server/commands";

/** What a scene is played with. */
type Stage = {
  client: Slipway;
  random: Tools["random"];
  /** Says what was done. */
  told(step: string): void;
};

/** Something that can be made to happen. */
export type Scene = {
  /** What it is called; where it is none itself, the event that it ends with. */
  event?: string;
  does: string;
  /** What may be given with it, and what it is when nothing is. */
  code?: string;
  /** Plays it, and returns the id of what the event is about. */
  play(stage: Stage, code: string): Promise<string>;
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Blocks of the blockchain that scenes use are final by then. */
const untilFinal = 15 * minute;
/** By then the bank has the payment, whatever the weekday, and cannot send it back in time any more. */
const untilPaid = 10 * day;

/** Everything that can be made to happen in the sandbox, by the event that it ends with. */
export const scenes: Record<string, Scene> = {
  "ramp.transaction.created": {
    does: "makes a sale of 100 USDC",
    play: async (stage) => (await newSale(stage)).id,
  },
  "ramp.transaction.funds_seen": {
    does: "makes a sale and sends its crypto",
    play: (stage) => deposited(stage, "100"),
  },
  "ramp.transaction.funds_received": {
    does: "makes a purchase of 500 USD and wires the money",
    play: (stage) => wired(stage, "500.00"),
  },
  "ramp.transaction.priced": {
    does: "makes a sale, sends its crypto and waits until that is final",
    play: async (stage) => later(stage, await deposited(stage, "100"), untilFinal),
  },
  "ramp.transaction.amount_adjusted": {
    does: "makes a purchase of 500 USD and wires 600",
    play: async (stage) => later(stage, await wired(stage, "600.00"), hour),
  },
  "ramp.transaction.flagged": {
    does: "makes a purchase that somebody else pays",
    play: (stage) => wired(stage, "500.00", "Somebody Else"),
  },
  "ramp.transaction.released": {
    does: "makes a sale, sends too little of its crypto, then the rest",
    async play(stage) {
      const id = await later(stage, await deposited(stage, "4"), untilFinal);
      await deposit(stage, id, "96");
      return later(stage, id, untilFinal);
    },
  },
  "ramp.transaction.payout_submitted": {
    does: "makes a sale by ACH and lets it be paid out",
    play: (stage) => paidSale(stage),
  },
  "ramp.transaction.completed": {
    does: "makes a purchase of 500 USD, wires the money and waits until the crypto is there",
    play: async (stage) => later(stage, await wired(stage, "500.00"), hour),
  },
  "ramp.transaction.returned": {
    does: "makes a sale by ACH that is paid out, and lets the bank send it back",
    code: "R03",
    play: returnedSale,
  },
  "ach.return": {
    event: "ramp.transaction.returned",
    does: "the same with a code of your choice, such as R02, R14 or R29",
    code: "R03",
    play: returnedSale,
  },
  "ramp.transaction.refunded": {
    does: "makes a sale, sends too little of its crypto, and waits until that went back",
    play: async (stage) => later(stage, await deposited(stage, "4"), untilPaid),
  },
  "ramp.transaction.expired": {
    does: "makes a sale and sends nothing",
    play: async (stage) => later(stage, (await newSale(stage)).id, 2 * day),
  },
  "ramp.transaction.canceled": {
    does: "makes a sale and cancels it",
    async play(stage) {
      const { id } = await newSale(stage);
      await stage.client.ramp.transactions.cancel(id);
      return id;
    },
  },
  "ramp.wallet.created": { does: "registers a wallet", play: newWallet },
  "ramp.wallet.deleted": {
    does: "registers a wallet and deletes it",
    async play(stage) {
      const id = await newWallet(stage);
      await stage.client.ramp.wallets.delete(id);
      return id;
    },
  },
  "ramp.bank_account.created": { does: "registers a bank account", play: newBankAccount },
  "ramp.bank_account.deleted": {
    does: "registers a bank account and deletes it",
    async play(stage) {
      const id = await newBankAccount(stage);
      await stage.client.ramp.bankAccounts.delete(id);
      return id;
    },
  },
  "ramp.bank_account.corrected": {
    does: "makes a sale to an account of which the bank says that it is of another type (C05)",
    play: (stage) => accountOf(stage, paidSale(stage, "0105")),
  },
  "ramp.bank_account.stopped": {
    does: "makes a sale to an account that is closed (R02)",
    play: (stage) => accountOf(stage, paidSale(stage, "0002")),
  },
  "ramp.subaccount.created": { does: "makes a subaccount", play: newSubaccount },
  "account.verification.updated": {
    does: "makes a subaccount and approves it",
    play: (stage) => decided(stage, "approved"),
  },
  "verification.rejected": {
    event: "account.verification.updated",
    does: "makes a subaccount and rejects it",
    play: (stage) => decided(stage, "rejected"),
  },
};

async function newWallet({ client, random, told }: Stage): Promise<string> {
  const address = `0x${random.bytes(18).toString("hex")}7777`;
  const { id } = await client.ramp.wallets.create({ address, blockchain: "base" });
  told(`wallet ${id}`);
  return id;
}

async function newBankAccount({ client, random, told }: Stage, ending = "7777"): Promise<string> {
  const { id } = await client.ramp.bankAccounts.create({
    routingNumber: "021000021",
    accountNumber: digits(random, 8) + ending,
    billingDetails: {
      ...{ fullName: "Sandbox Master", line1: "1 Main Street", city: "New York", province: "NY" },
      ...{ postalCode: "10001", country: "US", phone: "+1 212 555 0123" },
    },
  });
  told(`bank account ${id}`);
  return id;
}

async function newSale(stage: Stage, ending?: string): Promise<RampTransaction> {
  const walletId = await newWallet(stage);
  const bankAccountId = await newBankAccount(stage, ending);
  const sale = await stage.client.ramp.transactions.create({
    settlementMethod: "ACH",
    sourceOrder: { walletId, blockchain: "base", currency: "USDC", quantity: "100" },
    destinationOrder: { bankAccountId, currency: "USD" },
  });
  stage.told(`sale ${sale.id} of 100 USDC`);
  return sale;
}

async function wired(stage: Stage, amountUsd: string, senderName?: string): Promise<string> {
  const { client, told } = stage;
  const walletId = await newWallet(stage);
  const bankAccountId = await newBankAccount(stage);
  const { id } = await client.ramp.transactions.create({
    settlementMethod: "WIRE",
    sourceOrder: { bankAccountId, currency: "USD", quantity: "500" },
    destinationOrder: { walletId, blockchain: "base", currency: "USDC" },
  });
  told(`purchase ${id} for 500 USD`);
  await client.sandbox.wire({
    transactionId: id,
    amountUsd,
    ...(senderName ? { senderName } : {}),
  });
  told(`wire of ${amountUsd} USD${senderName ? ` from ${senderName}` : ""}`);
  return id;
}

async function deposited(stage: Stage, quantity: string, ending?: string): Promise<string> {
  const { id } = await newSale(stage, ending);
  await deposit(stage, id, quantity);
  return id;
}

async function deposit({ client, told }: Stage, transactionId: string, quantity: string) {
  await client.sandbox.deposit({ transactionId, quantity });
  told(`deposit of ${quantity} USDC`);
}

async function paidSale(stage: Stage, ending?: string): Promise<string> {
  return later(stage, await deposited(stage, "100", ending), untilPaid);
}

async function returnedSale(stage: Stage, code: string): Promise<string> {
  const id = await paidSale(stage);
  await stage.client.sandbox.achReturn({ transactionId: id, code });
  stage.told(`the bank returns it with ${code}`);
  return later(stage, id, day);
}

async function accountOf({ client }: Stage, sale: Promise<string>): Promise<string> {
  const { destinationOrder } = await client.ramp.transactions.get(await sale);
  return destinationOrder.bankAccountId ?? "";
}

async function newSubaccount({ client, random, told }: Stage): Promise<string> {
  const email = `ada.${digits(random, 8)}@example.com`;
  const { newSubAccountId: accountId } = await client.ramp.subaccounts.create({
    name: "Ada Lovelace",
    email,
  });
  told(`subaccount ${accountId}`);
  return accountId;
}

async function decided(stage: Stage, status: "approved" | "rejected"): Promise<string> {
  const userId = await newSubaccount(stage);
  await stage.client.sandbox.verify({ userId, status });
  stage.told(`it is ${status}`);
  return userId;
}

async function later<Result>(
  { client, told }: Stage,
  result: Result,
  seconds: number,
): Promise<Result> {
  const { now } = await client.sandbox.advanceClock(seconds);
  told(`the ramp's clock is at ${now}`);
  return result;
}

function digits(random: Tools["random"], count: number): string {
  return [...random.bytes(count)].map((byte) => byte % 10).join("");
}
