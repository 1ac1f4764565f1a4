import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

/** Where we let strangers make us send to. */
export type OutgoingRules = {
  /** Ports that may be used, over TLS. */
  ports: readonly number[];
  /** Whether plain HTTP to this very machine is allowed too, on any port: for a sandbox. */
  allowsLoopback: boolean;
};

/** Reads a URL that a stranger gave us, or says what it must be. Names are looked up only when it is used. */
export function readTarget(text: string, rules: OutgoingRules): { url: URL } | { fault: string } {
  if (!URL.canParse(text)) return { fault: "must be a URL such as https://example.com/webhooks" };
  const url = new URL(text);
  const fault = faultOf(url, rules);
  return fault ? { fault } : { url };
}

/** Whether a name stands for this machine, by whatever resolver. */
export function isLocalhost(name: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(name);
}

function faultOf(url: URL, { ports, allowsLoopback }: OutgoingRules): string | undefined {
  if (url.username || url.password) return "must not hold a user name or a password";
  if (url.protocol === "http:" && allowsLoopback) {
    return isThisMachine(url) ? undefined : "must start with https://, or lead to this machine";
  }
  if (url.protocol !== "https:") return "must start with https://";
  if (isSpecial(url)) return "must not point to a private, local or reserved address";
  if (ports.includes(Number(url.port || 443))) return undefined;
  return `must use port ${ports.join(" or ")}`;
}

function isThisMachine(url: URL): boolean {
  const host = hostOf(url);
  return isLocalhost(host) || isLoopbackAddress(host);
}

/** The URL parser has turned every way to write an IPv4 address into the usual one. */
function isSpecial(url: URL): boolean {
  const host = hostOf(url);
  return isLocalhost(host) || (isIP(host) !== 0 && !isPublicAddress(host));
}

/** The host without the brackets that an IPv6 address has in a URL. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
