import type { CexHealth, DexHealth, Health, RoleHealth } from "@slipway/sdk";
import type { Tone } from "../../parts/badge.tsx";
import { dexPath, exchangePath } from "./paths.ts";

/** A source or a part of the service, as one line about it. */
export type Source = {
  name: string;
  path?: string;
  note: string;
  word: string;
  sign: string;
  tone: Tone;
  /** How old its newest data is. */
  ageMs?: number;
};

type Look = Pick<Source, "sign" | "tone">;

const good: Look = { sign: "✓", tone: "good" };
const busy: Look = { sign: "…", tone: "warn" };
const doubtful: Look = { sign: "!", tone: "warn" };
const bad: Look = { sign: "✗", tone: "bad" };

const cexLooks: Record<CexHealth["state"], Look> = { ok: good, degraded: doubtful, down: bad };
const dexLooks: Record<DexHealth["state"], Look> = {
  ok: good,
  "catching up": busy,
  stalled: bad,
};
const roleLooks: Record<RoleHealth["state"], Look> = {
  running: good,
  restarting: busy,
  silent: bad,
};

const roleNames: Record<string, string> = {
  cex: "Exchange feeds",
  dex: "Chain indexer",
  ramp: "Ramp worker",
};

/** Everything `health` tells of: first where data comes from, then our own parts. */
export function sourcesOf({ cex = {}, dex = {}, roles }: Health): Source[] {
  return [
    ...Object.entries(cex).map(([name, health]) => cexSource(name, health)),
    ...Object.entries(dex).map(([name, health]) => dexSource(name, health)),
    ...Object.entries(roles).map(([name, health]) => roleSource(name, health)),
  ];
}

/** The feed of a centralized exchange. */
export function cexSource(name: string, health: CexHealth): Source {
  const { state, reason, markets, gaps, resyncs, age } = health;
  return {
    name,
    path: exchangePath(name),
    word: state,
    ...cexLooks[state],
    note: reason ?? `${markets} markets live, ${resyncs} resyncs, ${gaps} gaps`,
    ...(age === null ? {} : { ageMs: age * 1_000 }),
  };
}

/** The index of a decentralized exchange. */
export function dexSource(name: string, health: DexHealth): Source {
  const { state, reason, block, lagSeconds, progress } = health;
  const [exchange = name, blockchain = ""] = name.split("/");
  const part = progress ? `, ${Math.floor((100 * progress.done) / progress.total)} % done` : "";
  const indexed = block === null ? "no block yet" : `block ${block}`;
  return {
    name,
    path: dexPath({ exchange, blockchain }),
    word: state,
    ...dexLooks[state],
    note: reason ?? `${indexed}${part}`,
    ...(lagSeconds === null ? {} : { ageMs: lagSeconds * 1_000 }),
  };
}

function roleSource(name: string, { state, restarts, lastError }: RoleHealth): Source {
  return {
    name: roleNames[name] ?? name,
    word: state,
    ...roleLooks[state],
    note: `${restarts === 1 ? "1 restart" : `${restarts} restarts`}${lastError ? `: ${lastError}` : ""}`,
  };
}
