import { SlipwayError, UnreachableError } from "@slipway/sdk";
import { describe, expect, test } from "vitest";
import { faultsOf } from "./faults.ts";

const refused = (...messages: string[]) => new SlipwayError({ status: 400, messages });

describe("what the API refused", () => {
  test("stands at the field it names, and the rest by itself", () => {
    const error = refused(
      "routingNumber fails its check digit",
      "Required field is missing: billingDetails.phone",
      "billingDetails.city must be one line of text with 1 to 100 characters",
      "This address is already registered for base as wal-1.",
    );
    expect(faultsOf(error, ["routingNumber", "phone", "city", "line1"])).toEqual({
      at: {
        routingNumber: "routingNumber fails its check digit",
        phone: "Required field is missing: billingDetails.phone",
        city: "billingDetails.city must be one line of text with 1 to 100 characters",
      },
      rest: ["This address is already registered for base as wal-1."],
    });
  });

  test("keeps the first sentence about a field", () => {
    const error = refused("address is not a valid base address", "address is a contract");
    expect(faultsOf(error, ["address"]).at.address).toBe("address is not a valid base address");
  });

  test("is nothing when nothing was refused, and said in words when the service is away", () => {
    expect(faultsOf(null, ["address"])).toEqual({ at: {}, rest: [] });
    expect(faultsOf(new UnreachableError("nobody there"), ["address"]).rest).toEqual([
      "The service does not answer. Is it running?",
    ]);
  });
});
