import { describe, expect, test } from "vitest";
import { useApp } from "../../../test/test-app.ts";

const app = useApp();

describe("GET /v2/ramp/blockchains", () => {
  test("200: names of blockchains", async () => {
    const names = await app.as("master").ramp.blockchains();
    expect(names).toEqual(expect.arrayContaining(["ethereum", "base", "bitcoin", "solana"]));
    expect(new Set(names).size).toBe(names.length);
  });

  test("401: no key, in the ramp's envelope", async () => {
    const response = await fetch(`${app.url}/v2/ramp/blockchains`);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      errors: [{ message: "The API key is invalid." }],
      code: 401,
    });
  });
});
