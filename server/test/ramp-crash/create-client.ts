import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

export type Answer = { status: number; isReplayed: boolean; body: string };

/** A customer's program with one connection. */
export type CreateClient = {
  /** Sends a POST. Nothing comes back when the connection broke, or was cut after `cutAfterMs`. */
  post(path: string, key: string, body: string, cutAfterMs?: number): Promise<Answer | undefined>;
  close(): void;
};

export function openClient(url: string): CreateClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    close: () => agent.destroy(),
    post: (path, key, body, cutAfterMs) =>
      new Promise((resolve) => {
        const headers = {
          apikey: "slp_sandbox_master",
          "content-type": "application/json",
          "idempotency-key": key,
        };
        const sent = request(url + path, { agent, method: "POST", headers });
        sent.once("error", () => resolve(undefined));
        sent.once("response", (response) => {
          const { statusCode: status = 0, headers: answered } = response;
          const isReplayed = answered["idempotency-replayed"] === "true";
          text(response).then(
            (content) => resolve({ status, isReplayed, body: content }),
            () => resolve(undefined),
          );
        });
        sent.end(body);
        if (cutAfterMs !== undefined) setTimeout(() => sent.destroy(), cutAfterMs);
      }),
  };
}
