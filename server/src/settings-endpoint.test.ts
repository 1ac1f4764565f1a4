import { expect, test } from "vitest";
import { useApp } from "../test/test-app.ts";

const password = "hunter2hunter2";
const secret = `a secret that nobody sees, ${password}`;
const app = useApp({
  SLIPWAY_SECRET: secret,
  NATS_URL: `nats://me:${password}@bus.example:4222`,
  PORT: "0",
});

test("200: operators see every setting and where it came from, and no secret", async () => {
  const settings = await app.as("operator").operator.settings();
  const found = (name: string) => settings.find((setting) => setting.name === name);
  expect(found("port")).toEqual({ name: "port", value: "0", isSecret: false, origin: "PORT" });
  expect(found("host")).toMatchObject({ value: "127.0.0.1", origin: "default" });
  expect(found("databaseUrl")).toMatchObject({ value: null, isSecret: true, origin: "not set" });
  expect(found("secret")).toMatchObject({ value: "***", isSecret: true, origin: "SLIPWAY_SECRET" });
  expect(found("natsUrl")?.value).toBe("nats://***@bus.example:4222");
  expect(JSON.stringify(settings)).not.toContain(password);
});

test("403: customers do not", async () => {
  expect((await app.ask("/operator/settings")).status).toBe(403);
});
