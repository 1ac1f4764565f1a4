import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routingNumberFault } from "./routing-number.ts";

const real = ["021000021", "026009593", "121000248", "322271627", "314074269", "011000028"];

describe("a routing number", () => {
  test.each(real)("%s is good", (number) => {
    expect(routingNumberFault(number)).toBeUndefined();
  });

  test.each(["", "02100002", "0210000210", "02100002a", " 021000021", "٠٢١٠٠٠٠٢١"])(
    "%j has not nine digits",
    (text) => {
      expect(routingNumberFault(text)).toBe("must have 9 digits");
    },
  );

  test("with any one digit changed fails its check digit", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...real),
        fc.nat(8),
        fc.integer({ min: 1, max: 9 }),
        (good, at, by) => {
          const digit = (Number(good[at]) + by) % 10;
          const changed = good.slice(0, at) + digit + good.slice(at + 1);
          expect(routingNumberFault(changed)).toBe("fails its check digit");
        },
      ),
    );
  });

  test.each(["000000000", "130000006", "500000005", "990000000"])(
    "%s has a prefix that no bank has",
    (number) => {
      expect(routingNumberFault(number)).toBe("is not a known US bank");
    },
  );
});
