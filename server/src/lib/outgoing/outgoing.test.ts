import { expect, test } from "vitest";
import { answerWith, receiverCertificate, useReceiver } from "../../../test/webhook-receiver.ts";
import { openOutgoing } from "./outgoing.ts";

const plain = useReceiver("http");
const encrypted = useReceiver("https");

const nameUrl = (path = "/") => `https://receiver.example:${encrypted.port}${path}`;
const message = (url: string) => ({
  url,
  headers: { "x-test": "yes" },
  body: '{"grüße":1}',
  timeoutMs: 10_000,
  answerBytesMost: 65_536,
});

/** To the test's own server over TLS, as if 127.0.0.1 were a public address. */
function openLab(addresses: (string | Error)[][]) {
  const asked: string[] = [];
  const outgoing = openOutgoing({
    rules: { ports: [encrypted.port], allowsLoopback: false },
    isPublic: (address) => address === "127.0.0.1",
    certificateAuthority: receiverCertificate.cert,
    async resolve(name) {
      const answer = addresses[Math.min(asked.push(name), addresses.length) - 1] ?? [];
      return answer.map((address) => {
        if (address instanceof Error) throw address;
        return address;
      });
    },
  });
  return { outgoing, asked };
}

const sandbox = openOutgoing({ rules: { ports: [443], allowsLoopback: true } });

test("a message arrives over TLS at the address that the name has, as it was given", async () => {
  const { outgoing, asked } = openLab([["127.0.0.1"]]);
  expect(await outgoing.post(message(nameUrl("/hook?a=1")))).toEqual({ status: 200 });
  expect(asked).toEqual(["receiver.example"]);
  expect(encrypted.received.at(-1)).toMatchObject({
    url: "/hook?a=1",
    body: '{"grüße":1}',
    headers: { host: `receiver.example:${encrypted.port}`, "x-test": "yes" },
  });
});

test("a name that was public and then leads inside is looked up again and not dialled", async () => {
  const { outgoing } = openLab([["127.0.0.1"], ["127.0.0.2"]]);
  expect(await outgoing.post(message(nameUrl()))).toEqual({ status: 200 });
  const before = encrypted.received.length;
  const failure = "the host name leads to an address that is not public";
  expect(await outgoing.post(message(nameUrl()))).toEqual({ failure });
  expect(encrypted.received.length).toBe(before);
});

test.each([
  ["one of its addresses is not public", ["127.0.0.1", "10.0.0.1"], "not public"],
  ["it leads to the metadata of a cloud", ["169.254.169.254"], "not public"],
  ["it has no address", [], "could not be resolved"],
  ["nobody knows it", [new Error("ENOTFOUND")], "could not be resolved"],
])("a name is refused when %s", async (_, addresses, failure) => {
  const { outgoing } = openLab([addresses]);
  expect(await outgoing.post(message(nameUrl()))).toEqual({
    failure: expect.stringContaining(failure),
  });
});

test("the public internet's rules hold unless a test says otherwise", async () => {
  const rules = { ports: [encrypted.port], allowsLoopback: true };
  const outgoing = openOutgoing({ rules, resolve: async () => ["127.0.0.1"] });
  expect(await outgoing.post(message(nameUrl()))).toEqual({
    failure: "the host name leads to an address that is not public",
  });
  const address = `https://127.0.0.1:${encrypted.port}/`;
  expect(await outgoing.post(message(address))).toEqual({
    failure: "the URL must not point to a private, local or reserved address",
  });
});

test("in a sandbox plain HTTP reaches this machine, also by name, and nothing else", async () => {
  expect(await sandbox.post(message(plain.url))).toEqual({ status: 200 });
  expect(await sandbox.post(message(`http://localhost:${plain.port}/`))).toEqual({ status: 200 });
  const rebound = openOutgoing({
    rules: { ports: [443], allowsLoopback: true },
    resolve: async () => ["10.0.0.1"],
  });
  expect(await rebound.post(message(`http://localhost:${plain.port}/`))).toEqual({
    failure: "the host name leads to an address that is not public",
  });
});

test("a certificate that nobody vouches for is not accepted", async () => {
  const outgoing = openOutgoing({
    rules: { ports: [encrypted.port], allowsLoopback: false },
    isPublic: () => true,
    resolve: async () => ["127.0.0.1"],
  });
  expect(await outgoing.post(message(nameUrl()))).toEqual({
    failure: expect.stringContaining("the certificate cannot be accepted"),
  });
});

test("a redirect is an answer like any other, and is not followed", async () => {
  plain.answer = answerWith(302, { location: "http://169.254.169.254/latest/meta-data" });
  expect(await sandbox.post(message(plain.url))).toEqual({ status: 302 });
});

test("of a giant answer only so much is read, and its status counts", async () => {
  let isCut = false;
  plain.answer = (_, response) => {
    response.writeHead(200);
    response.on("close", () => {
      isCut = true;
    });
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
    };
    response.on("drain", write);
    write();
  };
  expect(await sandbox.post(message(plain.url))).toEqual({ status: 200 });
  await expect.poll(() => isCut).toBe(true);
});

test.each([
  ["never comes", () => {}],
  [
    "comes a drop at a time",
    (response: import("node:http").ServerResponse) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(drip));
    },
  ],
])("an answer that %s is not waited for longer than agreed", async (_, answer) => {
  plain.answer = (_, response) => answer(response);
  expect(await sandbox.post({ ...message(plain.url), timeoutMs: 100 })).toEqual({
    failure: "no complete answer within 0.1 seconds",
  });
});

test("a name server that never answers is not waited for either", async () => {
  const outgoing = openOutgoing({
    rules: { ports: [443], allowsLoopback: false },
    resolve: () => new Promise(() => {}),
  });
  expect(await outgoing.post({ ...message("https://example.com/"), timeoutMs: 50 })).toEqual({
    failure: "no complete answer within 0.05 seconds",
  });
});

test("a connection that is refused or breaks off is a failure in words", async () => {
  expect(await sandbox.post(message("http://127.0.0.1:1/"))).toEqual({
    failure: "the connection was refused",
  });
  expect(await sandbox.post(message("http://localhost:1/"))).toEqual({
    failure: "the connection was refused",
  });
  plain.answer = (_, response) => void response.destroy();
  expect(await sandbox.post(message(plain.url))).toEqual({
    failure: expect.stringContaining("the connection failed"),
  });
  plain.answer = (_, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("half");
    setImmediate(() => response.destroy());
  };
  expect(await sandbox.post(message(plain.url))).toEqual({
    failure: expect.stringContaining("the connection"),
  });
});

test("what answers is not HTTP", async () => {
  plain.answer = (request) => void request.socket.end("SSH-2.0-OpenSSH_9.6\r\n");
  expect(await sandbox.post(message(plain.url))).toEqual({
    failure: expect.stringContaining("the connection failed"),
  });
});

test("whoever stops the sending learns that nobody knows", async () => {
  const stop = new AbortController();
  plain.answer = () => stop.abort(new Error("stopped"));
  await expect(sandbox.post(message(plain.url), stop.signal)).rejects.toThrow("stopped");
  await expect(sandbox.post(message(plain.url), stop.signal)).rejects.toThrow("stopped");
});
