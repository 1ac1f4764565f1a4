import { expect, test } from "vitest";
import { readTarget } from "./target.ts";

const live = { ports: [443, 8443], allowsLoopback: false };
const sandbox = { ports: [443], allowsLoopback: true };

test.each([
  ["https://example.com/webhooks?a=b", live],
  ["https://example.com:8443/", live],
  ["https://1.1.1.1/", live],
  ["https://[2606:4700:4700::1111]/", live],
  ["https://example.com/", sandbox],
  ["http://localhost:3000/webhooks", sandbox],
  ["http://127.0.0.1:3000", sandbox],
  ["http://2130706433:3000/", sandbox],
  ["http://[::1]/", sandbox],
  ["http://app.localhost./", sandbox],
])("%s may be sent to", (text, rules) => {
  expect(readTarget(text, rules)).toHaveProperty("url");
});

const special = "must not point to a private, local or reserved address";

test.each([
  ["example.com", live, "must be a URL such as"],
  ["https://", live, "must be a URL such as"],
  ["https://exa mple.com", live, "must be a URL such as"],
  ["https://[fe80::1%25eth0]/", live, "must be a URL such as"],
  ["http://example.com/", live, "must start with https://"],
  ["http://127.0.0.1/", live, "must start with https://"],
  ["ftp://example.com/", live, "must start with https://"],
  ["file:///etc/passwd", live, "must start with https://"],
  ["javascript:alert(1)", live, "must start with https://"],
  ["file:///etc/passwd", sandbox, "must start with https://"],
  ["http://example.com/", sandbox, "or lead to this machine"],
  ["http://10.0.0.1/", sandbox, "or lead to this machine"],
  ["http://localhost.example.com/", sandbox, "or lead to this machine"],
  ["http://0.0.0.0/", sandbox, "or lead to this machine"],
  ["http://[::]/", sandbox, "or lead to this machine"],
  ["https://example.com:8080/", live, "must use port 443 or 8443"],
  ["https://example.com:8443/", sandbox, "must use port 443"],
  ["https://user@example.com/", live, "must not hold a user name or a password"],
  ["https://user:word@example.com/", live, "must not hold a user name or a password"],
  ["https://localhost/", live, special],
  ["https://localhost/", sandbox, special],
  ["https://LOCALHOST./", live, special],
  ["https://127.0.0.1/", live, special],
  ["https://2130706433/", live, special],
  ["https://0177.0.0.1/", live, special],
  ["https://0x7f.1/", live, special],
  ["https://127.1/", live, special],
  ["https://127.0.0.1./", live, special],
  ["https://①②⑦.0.0.1/", live, special],
  ["https://0/", live, special],
  ["https://[::]/", live, special],
  ["https://[::1]/", live, special],
  ["https://[::ffff:127.0.0.1]/", live, special],
  ["https://[::ffff:7f00:1]/", live, special],
  ["https://[64:ff9b::7f00:1]/", live, special],
  ["https://169.254.169.254/latest/meta-data", live, special],
  ["https://0xA9FEA9FE/", live, special],
])("%s may not", (text, rules, fault) => {
  expect(readTarget(text, rules)).toEqual({ fault: expect.stringContaining(fault) });
});
