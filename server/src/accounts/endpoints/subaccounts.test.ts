import { describe, expect, test } from "vitest";
import { useApp } from "../../../test/test-app.ts";

const app = useApp();
const path = "/v2/ramp/subaccounts";
const post = (body: unknown, headers: Record<string, string> = {}) =>
  app.ask(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("POST /v2/ramp/subaccounts", () => {
  test("201: the new account's id, and the account is there", async () => {
    const { newSubAccountId } = await app.as("master").ramp.subaccounts.create({
      name: "  Ada   Lovelace ",
      email: "ada@example.com",
    });
    expect(newSubAccountId).toMatch(/^usr-\d+$/);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(await app.as("master").ramp.subaccounts.get(newSubAccountId)).toEqual({
      id: newSubAccountId,
      email: "ada@example.com",
      name: "Ada Lovelace",
      createdAt: time,
      updatedAt: time,
    });
  });

  test("201: nested in subAccount beside api-key, as the specification's sample has it", async () => {
    const body = {
      "api-key": "slp_sandbox_master",
      subAccount: { name: "Grace Hopper", email: "grace@example.com" },
    };
    const response = await fetch(app.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    expect(Object.keys((await response.json()) as object)).toEqual(["newSubAccountId"]);
  });

  test("400: every fault at once, in document order", async () => {
    const response = await post({});
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      errors: [
        { message: "Required field is missing: name" },
        { message: "Required field is missing: email" },
      ],
      code: 400,
    });
  });

  test.each([
    [{ name: "Ada", email: "ada@x.org" }, "name must contain a first and a last name"],
    [{ name: "A\u0000 B", email: "ada@x.org" }, "name must contain"],
    [{ name: 5, email: "ada@x.org" }, "name must contain"],
    [{ name: "Ada Lovelace", email: "ada" }, "email must be an e-mail address"],
    [{ name: "Ada Lovelace", email: "a\u0000@x.org" }, "email must be an e-mail address"],
    [{ name: "Ada Lovelace", email: ["ada@x.org"] }, "email must be an e-mail address"],
    [[], "must be a JSON object"],
    ["text", "must be a JSON object"],
  ])("400: %j", async (body, message) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(message);
  });

  test("401: a wrong key in the body", async () => {
    const response = await fetch(app.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ "api-key": "slp_test_wrong", name: "Ada Lovelace", email: "a@b.org" }),
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      errors: [{ message: "The API key is invalid." }],
      code: 401,
    });
  });

  test("409: an e-mail address the master has already, in any case", async () => {
    const first = await app
      .as("master")
      .ramp.subaccounts.create({ name: "Alan Turing", email: "alan@example.com" });
    const response = await post({ name: "Alan Again", email: "ALAN@example.com" });
    expect(response.status).toBe(409);
    expect(JSON.stringify(await response.json())).toContain(
      `already exists as ${first.newSubAccountId}`,
    );
    const other = await app
      .as("unverified")
      .ramp.subaccounts.create({ name: "Alan Turing", email: "alan@example.com" });
    expect(other.newSubAccountId).not.toBe(first.newSubAccountId);
  });
});

describe("POST /v2/ramp/subaccounts with an Idempotency-Key", () => {
  test("makes one account, however often it comes", async () => {
    const body = { name: "Ada Once", email: "once@example.com" };
    const headers = { "idempotency-key": "once" };
    const [first, second] = [await post(body, headers), await post(body, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).toBe(await first.text());
    expect((await post({ ...body, name: "Eve Once" }, headers)).status).toBe(422);
  });

  test("also when the key of the caller stands in the body", async () => {
    const subAccount = { name: "Ada Body", email: "in-body@example.com" };
    const send = () =>
      fetch(app.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "in body" },
        body: JSON.stringify({ "api-key": "slp_sandbox_master", subAccount }),
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.text()).toBe(await first.text());
  });
});

describe("userId", () => {
  test("403: nobody makes or sees subaccounts of another account", async () => {
    const { newSubAccountId: userId } = await app
      .as("master")
      .ramp.subaccounts.create({ name: "Sub One", email: "sub-one@example.com" });
    const body = { name: "Sub Sub", email: "sub-sub@example.com" };
    expect((await post({ ...body, userId })).status).toBe(403);
    expect((await app.ask(`${path}?userId=${userId}`)).status).toBe(403);
    expect((await post({ subAccount: { ...body, userId } })).status).toBe(201);
  });
});

describe("GET /v2/ramp/subaccounts", () => {
  test("200: the caller's own, newest first", async () => {
    const { subaccounts } = app.as("operator").ramp;
    const created: string[] = [];
    for (const name of ["One First", "Two Second", "Three Third"]) {
      const email = `${name.replace(" ", ".")}@example.com`;
      created.unshift((await subaccounts.create({ name, email })).newSubAccountId);
    }
    expect((await subaccounts.list()).map(({ id }) => id)).toEqual(created);
  });
});

describe("GET /v2/ramp/subaccounts/{accountId}", () => {
  test.each([
    ["an id that does not exist", "usr-99", "Subaccount usr-99 was not found."],
    ["the caller's own id", "usr-10000000000001", "Subaccount usr-10000000000001 was not found."],
    ["an id of the wrong form", "nonsense", "ids look like usr-123"],
    ["a NUL byte", "usr-%00", "ids look like usr-123"],
  ])("404: %s", async (_, id, message) => {
    const response = await app.ask(`${path}/${id}`);
    expect(response.status).toBe(404);
    expect(JSON.stringify(await response.json())).toContain(message);
  });

  test("404: a subaccount of somebody else, with the same words", async () => {
    const { newSubAccountId: id } = await app
      .as("unverified")
      .ramp.subaccounts.create({ name: "Some Body", email: "some@example.com" });
    await expect(app.as("master").ramp.subaccounts.get(id)).rejects.toMatchObject({
      status: 404,
      messages: [`Subaccount ${id} was not found.`],
    });
  });
});
