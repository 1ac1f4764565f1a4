/** Every shape the API promises. The server's schemas are checked against these by the compiler. */

/** `usr-` and digits. */
export type UserId = string;

/** The body of every error except a data endpoint's 401. `code` is the HTTP status. */
export type ErrorBody = { errors: { message: string }[]; code: number };

/** The body of a 401 from a data endpoint, spelled as the specification spells it. */
export type UnauthorizedBody = { Unauthorized: "Invaild API Key" };

/** An account below a master account. */
export type Subaccount = {
  id: UserId;
  email: string;
  name: string;
  /** UTC, with milliseconds and no zone: `2026-11-14T23:51:07.042`. */
  createdAt: string;
  updatedAt: string;
};

export type NewSubaccount = { name: string; email: string };

export type CreatedSubaccount = { newSubAccountId: UserId };

/** How one part of the service is doing. */
export type RoleHealth = {
  state: "running" | "restarting" | "silent";
  /** How often it had to be started again. */
  restarts: number;
  /** Why it last ended, or null. */
  lastError: string | null;
};

export type Health = {
  status: "ok" | "degraded" | "unavailable";
  mode: "sandbox" | "live";
  version: string;
  database: { ok: boolean };
  roles: Record<string, RoleHealth>;
};
