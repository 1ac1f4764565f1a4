import type { Setting } from "@slipway/sdk";
import type { ConfigLine } from "./settings.ts";

/** A setting as people may see it: of a secret there is only what gives nothing away. */
export function shownSetting({ name, value, isSecret, origin }: ConfigLine): Setting {
  return { name, value: shown(value, isSecret), isSecret, origin };
}

function shown(value: unknown, isSecret: boolean): string | null {
  if (value === undefined) return null;
  if (!isSecret) return text(value);
  return Array.isArray(value) ? value.map(hostOf).join(", ") : masked(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An address is worth seeing, the password in it is not. */
function masked(value: unknown): string {
  const [, scheme, place] = /^(\w+:\/\/)(?:[^@]*@)?([^?#]*)/.exec(text(value)) ?? [];
  return scheme ? `${scheme}***@${place}` : "***";
}

/** Nodes have keys anywhere in their URLs. */
function hostOf(url: unknown): string {
  return URL.canParse(text(url)) ? new URL(text(url)).host : "***";
}
