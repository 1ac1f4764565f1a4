import { computed, signal } from "@preact/signals";
import { Slipway } from "@slipway/sdk";

/** Whose key a request goes out with. */
export type Role = "account" | "operator";
export type Mode = "sandbox" | "live";
type Keys = Partial<Record<Role, string>>;

/** The sandbox's keys are the same everywhere, so that nobody has to sign in to look around. */
export const sandboxKeys = {
  account: "slp_sandbox_master",
  unverified: "slp_sandbox_unverified",
  operator: "slp_sandbox_operator",
} as const;

const slot = "slipway.keys";

/** What the service says it is; nothing until it has answered. */
export const mode = signal<Mode | undefined>(undefined);

/** The keys somebody signed in with. They last as long as the tab: a console is often open on shared screens. */
const given = signal<Keys>(readKeys());

/** The key in use for each role. */
export const keys = computed<Keys>(() =>
  mode.value === "sandbox"
    ? { account: sandboxKeys.account, operator: sandboxKeys.operator, ...given.value }
    : given.value,
);

/** Signs in. */
export function signIn(role: Role, key: string): void {
  keep({ ...given.value, [role]: key });
}

/** Forgets every key. */
export function signOut(): void {
  keep({});
}

/** A request as it left, for whoever wants to send it again. */
export type SentRequest = {
  method: string;
  path: string;
  body: string | undefined;
  role: Role;
  key?: string | undefined;
};

/** A client with the role's key, which tells of every request it sends. */
export function clientFor(role: Role, sent: (request: SentRequest) => void = () => {}): Slipway {
  const apiKey = keys.value[role];
  return new Slipway({
    baseUrl: location.origin,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch(url, init) {
      const body = typeof init.body === "string" ? init.body : undefined;
      const path = url.slice(location.origin.length);
      sent({ method: init.method ?? "GET", path, body, role, key: apiKey });
      return fetch(url, init);
    },
  });
}

function keep(kept: Keys): void {
  given.value = kept;
  sessionStorage.setItem(slot, JSON.stringify(kept));
}

function readKeys(): Keys {
  const stored: unknown = JSON.parse(sessionStorage.getItem(slot) ?? "{}");
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(([, key]) => typeof key === "string"),
  ) as Keys;
}
