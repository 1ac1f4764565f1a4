import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readHolder } from "./holder.ts";

const given = {
  city: "New York",
  country: "US",
  line1: "1 Wall Street",
  province: "NY",
  fullName: "Ada Lovelace",
  phone: "(212) 555-0123",
  postalCode: "10005",
};

describe("the holder of an account", () => {
  test("is kept in one form, however it was written", () => {
    expect(
      readHolder({ ...given, fullName: "  Ada   Lovelace ", country: "united states", line2: " " }),
    ).toEqual({
      city: "New York",
      country: "UNITED_STATES",
      line1: "1 Wall Street",
      line2: null,
      province: "NY",
      fullName: "Ada Lovelace",
      phone: "+12125550123",
      postalCode: "10005",
    });
  });

  test("may live elsewhere, with a phone and a postal code of that country", () => {
    const abroad = { country: "GBR", phone: "020 7946 0958", postalCode: "SW1A 1AA" };
    expect(readHolder({ ...given, ...abroad })).toMatchObject({
      country: "UNITED_KINGDOM",
      phone: "+442079460958",
      postalCode: "SW1A 1AA",
    });
  });

  test.each([
    ["+1 (212) 555-0123", "+12125550123"],
    ["1-212-555-0123", "+12125550123"],
    ["+15555555555", "+15555555555"],
    ["+49 30 901820", "+4930901820"],
  ])("may give the phone %s", (phone, kept) => {
    expect(readHolder({ ...given, phone })).toMatchObject({ phone: kept });
  });

  test.each(["12", "phone", "call 212 555 0123", "+999 1234567", "9".repeat(40)])(
    "may not give the phone %s",
    (phone) => {
      expect(readHolder({ ...given, phone })).toEqual({
        faults: ["billingDetails.phone must be a phone number such as +1 212 555 0123"],
      });
    },
  );

  test.each(["10005-1234", "100051234"])("may give the postal code %s", (postalCode) => {
    expect(readHolder({ ...given, postalCode })).toMatchObject({ postalCode });
  });

  test("hears of everything that is wrong at once", () => {
    expect(readHolder({ ...given, country: "Atlantis", phone: "1", postalCode: "?" })).toEqual({
      faults: [
        "billingDetails.country is not a known country",
        "billingDetails.phone must be a phone number such as +1 212 555 0123",
        "billingDetails.postalCode must have 2 to 12 letters, digits, spaces or dashes",
      ],
    });
    expect(readHolder({ ...given, postalCode: "SW1A 1AA" })).toEqual({
      faults: ["billingDetails.postalCode must have 5 or 9 digits, such as 10001 or 10001-1234"],
    });
  });

  test("may be any text without anything breaking, and what is kept is kept as it is", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    fc.assert(
      fc.property(text, text, text, text, (country, phone, postalCode, fullName) => {
        const odd = readHolder({ ...given, country, phone, postalCode });
        expect("faults" in odd ? odd.faults.length : 1).toBeGreaterThan(0);
        const kept = readHolder({ ...given, fullName });
        expect("faults" in kept ? kept : readHolder(kept)).toEqual(kept);
      }),
    );
  });
});
