import { Resolver } from "node:dns/promises";
import { type ClientRequest, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
import { isLocalhost, type OutgoingRules, readTarget } from "./target.ts";

/** What to send, and how long to wait for how much of an answer. */
type OutgoingPost = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  answerBytesMost: number;
};

/** The status that came back, or why none did, in words for whoever gave us the URL. */
export type Outcome = { status: number } | { failure: string };

/** Sends to URLs that strangers gave us, and to public addresses only. */
export type Outgoing = {
  /** Rejects only when the signal aborts; then nobody knows whether it arrived. */
  post(message: OutgoingPost, signal?: AbortSignal): Promise<Outcome>;
};

type OutgoingOptions = {
  rules: OutgoingRules;
  /** All addresses of a name. */
  resolve?: (name: string) => Promise<string[]>;
  isPublic?: (address: string) => boolean;
  /** A certificate authority besides the usual ones. */
  certificateAuthority?: string;
};

/** A failure that is told as it is. */
class Refusal extends Error {}

const attemptPerAddressMs = 2_500;
const certificateCodes = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

// Not the operating system's look-up: a name server that never answers would keep a thread that all of us share.
const resolver = new Resolver({ timeout: 3_000, tries: 2 });

/** Opens the way out. */
export function openOutgoing(options: OutgoingOptions): Outgoing {
  const { rules, resolve = resolveName, isPublic = isPublicAddress } = options;
  const { certificateAuthority } = options;

  /** Checks the very addresses that are dialled next: what a name meant a moment ago proves nothing. */
  function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
    return (name, { all }, found) => {
      void addressesOf(name, isAllowed).then(
        ([first, ...others]) => {
          if (all) found(null, [first, ...others].map(withFamily));
          else found(null, first, isIP(first));
        },
        (error) => found(error, ""),
      );
    };
  }

  async function addressesOf(
    name: string,
    isAllowed: (address: string) => boolean,
  ): Promise<[string, ...string[]]> {
    const [first, ...others] = await resolve(name).catch(() => []);
    if (first === undefined) throw new Refusal("the host name could not be resolved");
    if (![first, ...others].every(isAllowed)) {
      throw new Refusal("the host name leads to an address that is not public");
    }
    return [first, ...others];
  }

  return {
    async post(message, signal) {
      signal?.throwIfAborted();
      const target = readTarget(message.url, rules);
      if ("fault" in target) return { failure: `the URL ${target.fault}` };
      const { url } = target;
      const isPlain = url.protocol === "http:";
      const headers = { ...message.headers, "content-length": Buffer.byteLength(message.body) };
      // A connection of its own: one that is kept open was checked for somebody else.
      const connection = {
        method: "POST",
        agent: false,
        autoSelectFamilyAttemptTimeout: attemptPerAddressMs,
        lookup: checkedLookup(isPlain ? isLoopbackAddress : isPublic),
        headers,
      } as const;
      const request = isPlain
        ? plainRequest(url, connection)
        : tlsRequest(url, {
            ...connection,
            ...(certificateAuthority ? { ca: certificateAuthority } : {}),
          });
      return exchange(request, message, signal);
    },
  };
}

/** Sends the body and waits until the answer is over, long enough, or late. */
function exchange(
  request: ClientRequest,
  { body, timeoutMs, answerBytesMost }: OutgoingPost,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  return new Promise<Outcome>((resolve, reject) => {
    const late = new Refusal(`no complete answer within ${timeoutMs / 1_000} seconds`);
    const timer = setTimeout(() => request.destroy(late), timeoutMs);
    const abort = () => request.destroy();
    signal?.addEventListener("abort", abort, { once: true });
    request.on("close", () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      if (signal?.aborted) reject(signal.reason);
      resolve({ failure: "the connection broke off" });
    });
    request.on("error", (error) => {
      if (!signal?.aborted) resolve({ failure: failureOf(error) });
    });
    request.on("response", (response) => {
      const status = response.statusCode ?? 0;
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= answerBytesMost) return;
        resolve({ status });
        request.destroy();
      });
      response.on("end", () => resolve({ status }));
      response.on("error", (error) => resolve({ failure: failureOf(error) }));
    });
    request.end(body);
  });
}

async function resolveName(name: string): Promise<string[]> {
  if (isLocalhost(name)) return ["127.0.0.1", "::1"];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

function withFamily(address: string): { address: string; family: number } {
  return { address, family: isIP(address) };
}

function failureOf(error: Error): string {
  if (error instanceof Refusal) return error.message;
  const code = codeOf(error);
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (certificateCodes.test(code)) return `the certificate cannot be accepted (${code})`;
  return `the connection failed (${code || error.name})`;
}

/** Of several addresses that were tried, what went wrong with the first. */
function codeOf(error: Error): string {
  if ("code" in error && typeof error.code === "string") return error.code;
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? codeOf(first) : "";
}
