import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** What a receiver got. */
export type Received = { url: string; headers: IncomingHttpHeaders; body: string };

export type Receiver = {
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  url: string;
  port: number;
  /** Everything that came, in order. */
  received: Received[];
  /** How it answers: 200 unless told otherwise. */
  answer: RequestListener;
};

/** A customer's web server, for the test file that calls this. */
export function useReceiver(kind: "http" | "https" = "http"): Receiver {
  const receiver = { received: [], answer: answerWith(200) } as unknown as Receiver;
  const listen: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      receiver.received.push({ url: request.url ?? "", headers: request.headers, body });
      receiver.answer(request, response);
    });
  };
  const server =
    kind === "http" ? createServer(listen) : createTlsServer(receiverCertificate, listen);
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    receiver.port = (server.address() as AddressInfo).port;
    receiver.url = `${kind}://127.0.0.1:${receiver.port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return receiver;
}

/** Answers with a status and nothing else. */
export function answerWith(status: number, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => void response.writeHead(status, headers).end();
}

/** Of `receiver.example`, signed by itself and known to nobody. */
export const receiverCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHIdnOcgDHlM9Je+H
KmRHuylxn5gwe57Mh6/sxcZH7c6hRANCAATEUy+Ul99qXZCs3S+uT30UKo06h3lu
7X0kqG0RFj/EGv6LtJZjtxd3/VF5OD7Eg7JtupfiooaxxcyWvfAe7xvR
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBdTCCARygAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBByZWNlaXZl
ci5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBByZWNlaXZlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAExFMvlJffal2QrN0vrk99FCqNOod5bu19JKhtERY/xBr+i7SWY7cXd/1ReTg+
xIOybbqX4qKGscXMlr3wHu8b0aNPME0wGwYDVR0RBBQwEoIQcmVjZWl2ZXIuZXhh
bXBsZTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBTjnLi9BJfjKYSeiW0z/GzZ
ZLYL3zAKBggqhkjOPQQDAgNHADBEAiAE7Kr/O9CA18IjwOUeasP7GUmLnD6dDMGx
BdKOcBa75QIgJ1xBTX0ESe9smt7dM/FL8tm/qfzyg4XwoYLP9/DPF4A=
-----END CERTIFICATE-----`,
};
