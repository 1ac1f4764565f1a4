import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { manualClock } from "../../../test/manual-clock.ts";
import { recordingLog } from "../../../test/silent-log.ts";
import { useApp } from "../../../test/test-app.ts";
import type { DueRunner } from "../../database/due.ts";
import { systemRandom } from "../../lib/random.ts";
import { tellAboutAccounts } from "../../ramp/events/tell.ts";
import { type PersonaContext, personaHook, personaRunner, personaSettingsOf } from "./persona.ts";

const clock = manualClock(Date.UTC(2026, 3, 15, 16));
const secret = "wbhsec_0123456789abcdef";
const { lines, log } = recordingLog();

/** Plays Persona: keeps the first answer to every key, errors included, as Persona does. */
type Asked = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };
const asked: Asked[] = [];
const answered = new Map<string, { status: number; body: unknown }>();
/** What goes wrong next: an error that is answered, an answer that gets lost, or one without a link. */
let fault: "error" | "lost" | "no_link" | undefined;
let inquiries = 0;
let links = 0;
const persona = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const [path, key] = [request.url ?? "", String(request.headers["idempotency-key"])];
  asked.push({ path, headers: request.headers, body: JSON.parse(String(Buffer.concat(parts))) });
  const answer = path === "/api/v1/inquiries" ? (answered.get(key) ?? newInquiry()) : newLink(path);
  if (path === "/api/v1/inquiries") answered.set(key, answer);
  if (happens("lost")) response.destroy();
  else response.writeHead(answer.status).end(JSON.stringify(answer.body));
});

/** Whether this goes wrong now: once. */
function happens(what: typeof fault): boolean {
  const isNow = fault === what;
  if (isNow) fault = undefined;
  return isNow;
}

function newInquiry() {
  if (happens("error")) return { status: 500, body: { errors: [{ title: "Internal error" }] } };
  const id = `inq_${++inquiries}`;
  return {
    status: 201,
    body: { data: { type: "inquiry", id, attributes: { status: "created" } } },
  };
}

function newLink(path: string) {
  const [, id] = /\/inquiries\/(inq_\d+)\/generate-one-time-link$/.exec(path) ?? [];
  if (!id || happens("no_link")) return { status: 422, body: { errors: [{ title: "No" }] } };
  const link = `https://withpersona.com/verify?code=${id}-${++links}`;
  return { status: 200, body: { data: { type: "inquiry", id }, meta: { "one-time-link": link } } };
}

beforeAll(() => new Promise<void>((resolve) => void persona.listen(0, "127.0.0.1", resolve)));

let runner: DueRunner;
const app = useApp({}, clock, {
  ramp: (ramp) => {
    const { port } = persona.address() as AddressInfo;
    const settings = personaSettingsOf({
      personaUrl: `http://127.0.0.1:${port}/api/v1/`,
      personaKey: "persona_production_key",
      personaTemplate: "itmpl_abc",
      personaWebhookSecret: secret,
    });
    if (!settings) throw new Error("Persona is configured.");
    const told = tellAboutAccounts(systemRandom);
    const context: PersonaContext = { db: app.db, clock, told, settings, log };
    runner = personaRunner(context);
    return { verifier: { kind: "outside" }, hooks: [...ramp.hooks, personaHook(context)] };
  },
});

afterAll(() => {
  persona.closeAllConnections();
  persona.close();
});
beforeEach(() => {
  asked.length = 0;
  lines.length = 0;
  fault = undefined;
});

const master = () => app.as("master").ramp;
const operator = () => app.as("operator").operator;
let accounts = 0;

async function newAccount(): Promise<string> {
  const email = `ada${++accounts}@example.com`;
  const { newSubAccountId } = await master().subaccounts.create({
    name: "Ada King Lovelace",
    email,
  });
  return newSubAccountId;
}

const read = (userId: string) => master().verification.get({ userId });
const statusOf = async (userId: string) => (await read(userId)).status;

/** An account whose inquiry is open, and what Persona calls it. */
async function opened(): Promise<{ userId: string; inquiry: string }> {
  const userId = await newAccount();
  clock.advance(1_000);
  await master().verification.start({ userId });
  await runner.run();
  return { userId, inquiry: `inq_${inquiries}` };
}

/** Tells what happened to an inquiry, as long ago as is said. */
async function tellEvent(inquiry: string, what: string, secondsAgo = 0): Promise<number> {
  const createdAt = new Date(clock.now() - secondsAgo * 1_000).toISOString();
  const payload = { data: { type: "inquiry", id: inquiry, attributes: {} } };
  const attributes = { name: `inquiry.${what}`, payload, "created-at": createdAt };
  return send(JSON.stringify({ data: { type: "event", id: "evt_1", attributes } }));
}

async function send(body: string, by = secret): Promise<number> {
  const seconds = Math.floor(clock.now() / 1_000);
  const digest = createHmac("sha256", by).update(`${seconds}.${body}`).digest("hex");
  const headers = {
    "persona-signature": `t=${seconds},v1=${digest}`,
    "content-type": "application/json",
  };
  return (await fetch(`${app.url}/hooks/persona`, { method: "POST", headers, body })).status;
}

describe("an account that asks to be verified", () => {
  test("gets a link to an inquiry, which Persona is asked for outside of the request", async () => {
    const userId = await newAccount();
    const pending = { userId, status: "pending", reason: "Asked for by the account.", url: null };
    expect(await master().verification.start({ userId })).toEqual(pending);
    expect(asked).toEqual([]);
    expect(await runner.run()).toBe(1);
    expect(asked[0]).toMatchObject({
      path: "/api/v1/inquiries",
      headers: {
        authorization: "Bearer persona_production_key",
        "persona-version": "2023-01-05",
        "idempotency-key": `${userId}-1`,
        "content-type": "application/json",
      },
      body: {
        data: {
          attributes: {
            "inquiry-template-id": "itmpl_abc",
            "reference-id": userId,
            fields: { "name-first": "Ada King", "name-last": "Lovelace" },
          },
        },
      },
    });
    const url = `https://withpersona.com/verify?code=inq_${inquiries}-${links}`;
    expect(await read(userId)).toEqual({ ...pending, url });
    expect(await runner.run()).toBe(0);
  });

  test("gets another link when it asks again, to the same inquiry", async () => {
    const { userId, inquiry } = await opened();
    const { url } = await read(userId);
    expect((await master().verification.start({ userId })).url).toBeNull();
    await runner.run();
    const renewed = (await read(userId)).url;
    expect(renewed).toContain(`code=${inquiry}-`);
    expect(renewed).not.toBe(url);
  });

  test("waits while its inquiry has not been made, and is told so", async () => {
    const userId = await newAccount();
    await master().verification.start({ userId });
    await expect(master().verification.start({ userId })).rejects.toMatchObject({ status: 409 });
    await runner.run();
  });

  test("has no link any more when an operator has decided, and is asked nothing", async () => {
    const { userId } = await opened();
    await operator().verifications.approve(userId, "Seen in person.");
    expect(await read(userId)).toMatchObject({ status: "approved", url: null });
    const other = await newAccount();
    await master().verification.start({ userId: other });
    await operator().verifications.reject(other, "Known to be false.");
    expect(await runner.run()).toBe(0);
    await master().verification.start({ userId: other });
    await runner.run();
    expect(asked.at(-2)?.headers["idempotency-key"]).toBe(`${other}-2`);
  });
});

describe("whatever goes wrong,", () => {
  test.each([
    ["an answer that was lost is the same inquiry again", "lost", 1],
    ["an error that was answered is another attempt", "error", 2],
    ["a link that was not given is asked for again", "no_link", 1],
  ] as const)("%s", async (_, what, attempt) => {
    const userId = await newAccount();
    const before = inquiries;
    await master().verification.start({ userId });
    fault = what;
    await runner.run();
    expect(await read(userId)).toMatchObject({ status: "pending", url: null });
    expect(lines.join("")).toContain("it is asked again in a minute");
    clock.advance(60_000);
    await runner.run();
    expect((await read(userId)).url).toContain(`code=inq_${before + 1}-`);
    expect(inquiries).toBe(before + 1);
    const keys = asked.map(({ headers }) => headers["idempotency-key"]).filter(Boolean);
    expect(keys.at(-1)).toBe(`${userId}-${attempt}`);
  });

  test("two who look at the same time ask once", async () => {
    const userId = await newAccount();
    await master().verification.start({ userId });
    const counts = await Promise.all([runner.run(), runner.run()]);
    expect(counts.sort()).toEqual([0, 1]);
    expect(asked).toHaveLength(2);
  });
});

describe("what Persona tells", () => {
  test.each([
    ["approved", "approved", "Persona approved the inquiry"],
    ["declined", "rejected", "Persona declined the inquiry"],
    ["failed", "rejected", "The inquiry failed at Persona"],
    ["expired", "expired", "The inquiry expired at Persona"],
    ["marked-for-review", "review", "Persona marked the inquiry for review"],
  ])("%s: the account is %s", async (what, status, words) => {
    const { userId, inquiry } = await opened();
    clock.advance(1_000);
    expect(await tellEvent(inquiry, what)).toBe(204);
    const reason = `${words} ${inquiry}.`;
    expect(await read(userId)).toEqual({ userId, status, reason, url: null });
    const [line] = await operator().audit.list({ limit: 1 });
    expect(line).toMatchObject({ target: userId, detail: { reason, decidedBy: "persona" } });
  });

  test.each(["created", "started", "completed", "transitioned"])(
    "%s: nothing follows",
    async (what) => {
      const { userId, inquiry } = await opened();
      clock.advance(1_000);
      expect(await tellEvent(inquiry, what)).toBe(204);
      expect(await statusOf(userId)).toBe("pending");
    },
  );

  test("counts in the order in which it happened, not in that in which it comes", async () => {
    const { userId, inquiry } = await opened();
    clock.advance(60_000);
    await tellEvent(inquiry, "approved", 10);
    await tellEvent(inquiry, "marked-for-review", 20);
    expect(await statusOf(userId)).toBe("approved");
    await tellEvent(inquiry, "approved", 10);
    const { decisions } = await operator().accounts.get(userId);
    expect(decisions.map(({ status }) => status)).toEqual(["approved", "pending"]);
    await tellEvent(inquiry, "declined", 5);
    await tellEvent(inquiry, "approved", 10);
    expect(await statusOf(userId)).toBe("rejected");
  });

  test("a review that came late does not hide an approval that happened after it", async () => {
    const { userId, inquiry } = await opened();
    clock.advance(60_000);
    await tellEvent(inquiry, "marked-for-review", 20);
    await tellEvent(inquiry, "approved", 10);
    expect(await statusOf(userId)).toBe("approved");
  });

  test("does not undo what an operator decided after it happened", async () => {
    const { userId, inquiry } = await opened();
    clock.advance(60_000);
    await operator().verifications.reject(userId, "Forged.");
    expect(await tellEvent(inquiry, "approved", 1)).toBe(204);
    expect(await statusOf(userId)).toBe("rejected");
  });

  test("that nobody finished is nothing to an account that an operator has approved", async () => {
    const { userId, inquiry } = await opened();
    await operator().verifications.approve(userId, "Seen in person.");
    clock.advance(60_000);
    await tellEvent(inquiry, "expired");
    await tellEvent(inquiry, "marked-for-review");
    expect(await statusOf(userId)).toBe("approved");
    await tellEvent(inquiry, "declined");
    expect(await statusOf(userId)).toBe("rejected");
  });

  test("of an inquiry that is over is nothing to the next one", async () => {
    const { userId, inquiry } = await opened();
    clock.advance(1_000);
    await tellEvent(inquiry, "expired");
    clock.advance(1_000);
    await master().verification.start({ userId });
    await runner.run();
    clock.advance(1_000);
    expect(await tellEvent(inquiry, "approved")).toBe(204);
    expect(await statusOf(userId)).toBe("pending");
    expect(lines.join("")).toContain("counts for no account");
    await tellEvent(`inq_${inquiries}`, "approved");
    expect(await statusOf(userId)).toBe("approved");
  });

  test("of an inquiry that nobody knows is taken and logged", async () => {
    expect(await tellEvent("inq_404", "approved")).toBe(204);
    expect(lines.join("")).toContain("inq_404");
  });

  test("without its signature is refused", async () => {
    expect(await send("{}", "another secret")).toBe(401);
    expect(await send("{}")).toBe(400);
  });
});

describe("Persona's settings", () => {
  const personaUrl = "https://withpersona.com/api/v1";

  test("may be left out, but not by half", () => {
    expect(personaSettingsOf({ personaUrl })).toBeUndefined();
    expect(() => personaSettingsOf({ personaUrl, personaKey: "key" })).toThrow(
      "Verification by Persona needs ramp.rails.verification.personaTemplate and " +
        "ramp.rails.verification.personaWebhookSecret too.",
    );
  });
});
