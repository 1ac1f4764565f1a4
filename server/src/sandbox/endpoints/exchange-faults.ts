import { Type } from "typebox";
import { answerQuestions, inquiry, openAsker } from "../../bus/ask.ts";
import type { Bus } from "../../bus/bus.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import type { Clock } from "../../lib/clock.ts";
import { UnavailableError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import {
  type Fault,
  type Faults,
  faultKinds,
  faultsSchema,
  readFaults,
} from "../exchange/faults.ts";

/** Faults to put in the place of those that are on; nothing only asks for them. */
type Wish = { faults?: readonly Fault[] };

const wishes = inquiry<Wish, Faults>("sandbox.exchange-faults");
const timeoutMs = 5_000;

const kindList = Object.entries(faultKinds).map(([kind, meaning]) => `- \`${kind}\`: ${meaning}`);
const meanings = `What can go wrong:\n\n${kindList.join("\n")}`;

const FaultsSchema = Type.Object({
  faults: faultsSchema.properties.faults,
  happened: Type.Record(Type.String(), Type.Integer()),
});

const common = {
  path: "/sandbox/exchange/faults",
  family: "data",
  scope: "data:read",
  status: 200,
  response: FaultsSchema,
} as const;

/** Lets the sandbox's exchange misbehave, for those who want to see how their program takes it. */
export function exchangeFaultEndpoints(context: {
  bus: Bus;
  clock: Clock;
  random: Random;
}): Endpoint[] {
  const ask = openAsker(wishes, { ...context, timeoutMs });
  const tell = async (wish: Wish) => {
    try {
      return await ask(wish);
    } catch {
      throw new UnavailableError("The sandbox's exchange is not running.");
    }
  };
  return [
    endpoint({
      ...common,
      method: "GET",
      summary: "Faults of the sandbox's exchange that are on, and how often each has happened",
      description: meanings,
      handle: () => tell({}),
    }),
    endpoint({
      ...common,
      method: "POST",
      summary: "Switch faults of the sandbox's exchange on, in the place of those that were",
      description: meanings,
      body: faultsSchema,
      handle: ({ body }) => tell({ faults: readFaults(body) }),
    }),
    endpoint({
      ...common,
      method: "DELETE",
      summary: "Switch all faults of the sandbox's exchange off",
      handle: () => tell({ faults: [] }),
    }),
  ];
}

/** Hands the wishes of whoever asks on to the exchange at this URL. Returns what ends it. */
export function answerExchangeFaults(bus: Bus, baseUrl: string): () => void {
  return answerQuestions(wishes, bus, async ({ faults }) => {
    const body = faults && JSON.stringify({ faults });
    const method = faults ? "POST" : "GET";
    const answer = await fetch(`${baseUrl}/sandbox/faults`, { method, ...(body ? { body } : {}) });
    return (await answer.json()) as Faults;
  });
}
