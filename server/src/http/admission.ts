import { CallerError } from "../lib/errors.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
import type { GivenKey } from "./given-key.ts";
import type { Limits } from "./limits.ts";

/** Finds the caller behind a key. Known keys are answered without waiting. */
export type Authenticate = (key: string) => Caller | undefined | Promise<Caller | undefined>;

/** Let in: who it is, and what the answer must say about limits. */
export type Admitted = { caller: Caller; headers: Record<string, string> };

/** Lets a request in or throws: 401 before 429 before 403. Whose key it is is told even then. */
export type Admit = (
  endpoint: Endpoint,
  given: GivenKey,
  address: string,
  identified: (caller: Caller) => void,
) => Admitted | Promise<Admitted>;

/** The same for a caller who is known and may; nothing otherwise, and then nothing has been counted. */
export type AdmitKnown = (
  endpoint: Endpoint,
  given: GivenKey,
) => Admitted | Promise<Admitted> | undefined;

const noHeaders = {};

export function openAdmission(
  authenticate: Authenticate,
  limits: Limits | undefined,
): { admit: Admit; admitKnown: AdmitKnown } {
  function letIn(
    endpoint: Endpoint,
    caller: Caller | undefined,
    address: string,
    identified: (caller: Caller) => void,
  ): Admitted | Promise<Admitted> {
    if (!caller) return refuse(address);
    identified(caller);
    if (!limits) return checkScope(endpoint, caller, noHeaders);
    return limits
      .countRequest(caller.keyId)
      .then((headers) => checkScope(endpoint, caller, headers));
  }

  async function refuse(address: string): Promise<never> {
    await limits?.countBadKey(address);
    throw new CallerError("invalid_key", "The API key is invalid.");
  }

  return {
    admit(endpoint, given, address, identified) {
      const found = given.kind === "key" ? authenticate(given.key) : undefined;
      return found instanceof Promise
        ? found.then((caller) => letIn(endpoint, caller, address, identified))
        : letIn(endpoint, found, address, identified);
    },
    admitKnown(endpoint, given) {
      const caller = given.kind === "key" ? authenticate(given.key) : undefined;
      if (!caller || caller instanceof Promise || !mayUse(caller, endpoint)) return undefined;
      if (!limits) return { caller, headers: noHeaders };
      return limits.countRequest(caller.keyId).then((headers) => ({ caller, headers }));
    },
  };
}

function checkScope(endpoint: Endpoint, caller: Caller, headers: Record<string, string>): Admitted {
  if (!mayUse(caller, endpoint)) throw lacksScope(endpoint.scope);
  return { caller, headers };
}

/** 403 for a key that does not allow what is asked for. */
export function lacksScope(scope: string | null): CallerError {
  return new CallerError(
    "forbidden",
    `The API key does not allow this action: it lacks the scope ${scope}.`,
  );
}

function mayUse({ scopes }: Caller, { scope }: Endpoint): boolean {
  return scope === null || scopes.has(scope);
}
