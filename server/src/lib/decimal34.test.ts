import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decimal } from "./decimal34.ts";

type Operator = "+" | "-" | "*" | "/";

const vectors = JSON.parse(
  readFileSync(new URL("../../test/vectors/dex-vectors.json", import.meta.url), "utf8"),
) as { bigDecimalOps: [string, Operator, string, string][]; bigDecimalNormalize: string[][] };

const operate: Record<Operator, (left: Decimal, right: Decimal) => Decimal> = {
  "+": (left, right) => left.plus(right),
  "-": (left, right) => left.minus(right),
  "*": (left, right) => left.times(right),
  "/": (left, right) => left.dividedBy(right),
};

const parse = Decimal.parse;
const text = (value: Decimal) => value.toString();

describe("agrees with the library behind The Graph", () => {
  test("on a thousand operations", () => {
    const wrong = vectors.bigDecimalOps.filter(
      ([left, operator, right, result]) =>
        text(operate[operator](parse(left), parse(right))) !== result,
    );
    expect(vectors.bigDecimalOps).toHaveLength(1_000);
    expect(wrong).toEqual([]);
  });

  test.each(vectors.bigDecimalNormalize)("on the text of %s, which is %s", (written, normal) => {
    expect(text(parse(written ?? ""))).toBe(normal);
  });
});

/** The rules as they are written down, digit by digit: integer × 10^-scale, sure and slow. */
type Plain = { integer: bigint; scale: number };

function plain(written: string): Plain {
  const [mantissa = "", exponent = "0"] = written.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { integer: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

function normal({ integer, scale }: Plain): Plain {
  if (integer === 0n) return { integer, scale: 0 };
  const size = integer < 0n ? -integer : integer;
  const digits =
    integer > 0n ? size.toString().length : Math.floor(size.toString(2).length / Math.log2(10));
  const dropped = Math.max(0, digits - 34);
  let kept = size / 10n ** BigInt(dropped);
  const next = dropped > 0 ? (size / 10n ** BigInt(dropped - 1)) % 10n : 0n;
  if (integer > 0n && next >= 5n) kept++;
  let places = scale - dropped;
  for (; kept % 10n === 0n; kept /= 10n) places--;
  return { integer: integer < 0n ? -kept : kept, scale: places };
}

function divide(left: Plain, right: Plain): Plain {
  const divisor = right.integer < 0n ? -right.integer : right.integer;
  let rest = left.integer < 0n ? -left.integer : left.integer;
  let scale = left.scale - right.scale;
  if (rest === 0n) return { integer: 0n, scale: 0 };
  for (; rest < divisor; rest *= 10n) scale++;
  let quotient = rest / divisor;
  rest %= divisor;
  for (; rest !== 0n && quotient.toString().length < 100; scale++) {
    quotient = quotient * 10n + (rest * 10n) / divisor;
    rest = (rest * 10n) % divisor;
  }
  if ((rest * 10n) / divisor >= 5n) quotient++;
  const isNegative = left.integer < 0n !== right.integer < 0n;
  return { integer: isNegative ? -quotient : quotient, scale };
}

function plainly(operator: Operator, first: Plain, second: Plain): Plain {
  const left = normal(first);
  const right = normal(second);
  if (operator === "/") return normal(divide(left, right));
  if (operator === "*")
    return normal({ integer: left.integer * right.integer, scale: left.scale + right.scale });
  const scale = Math.max(left.scale, right.scale);
  const scaledLeft = left.integer * 10n ** BigInt(scale - left.scale);
  const scaledRight = right.integer * 10n ** BigInt(scale - right.scale);
  return normal({
    integer: operator === "+" ? scaledLeft + scaledRight : scaledLeft - scaledRight,
    scale,
  });
}

function plainText({ integer, scale }: Plain): string {
  const sign = integer < 0n ? "-" : "";
  const digits = (integer < 0n ? -integer : integer).toString();
  if (scale <= 0) return `${sign}${digits}${"0".repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Digits that lie at edges more often than chance would have it: few, nines, fives, powers of ten and of two. */
const digits = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 6n }).map(String),
  fc.bigInt({ min: 10n ** 32n, max: 10n ** 34n - 1n }).map(String),
  fc.bigInt({ min: 10n ** 34n, max: 10n ** 35n - 1n }).map(String),
  fc
    .tuple(fc.constantFrom("9", "5", "49", "50", "3", "1"), fc.integer({ min: 1, max: 17 }))
    .map(([digit, count]) => digit.repeat(count)),
  fc
    .tuple(fc.bigInt({ min: 1n, max: 999n }), fc.integer({ min: 0, max: 31 }))
    .map(([lead, zeros]) => `${lead}${"0".repeat(zeros)}`),
  fc
    .tuple(fc.integer({ min: 0, max: 115 }), fc.constantFrom(-1n, 0n, 1n))
    .map(([bits, more]) => String((1n << BigInt(bits)) + more)),
);

const exponent = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -40, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -600, max: 600 }) },
);

const number = fc
  .tuple(fc.constantFrom("", "-"), digits, exponent)
  .map(([sign, written, power]) => `${sign}${written}e${power}`);

const operator = fc.constantFrom<Operator>("+", "-", "*", "/");

describe("follows the rules to the last digit", () => {
  const isPossible = (kind: Operator, right: { isZero(): boolean }) =>
    kind !== "/" || !right.isZero();

  test("for any operation on any two numbers", () => {
    fc.assert(
      fc.property(number, operator, number, (left, kind, right) => {
        fc.pre(isPossible(kind, parse(right)));
        const result = operate[kind](parse(left), parse(right));
        expect(text(result)).toBe(plainText(plainly(kind, plain(left), plain(right))));
      }),
      { numRuns: 3_000 },
    );
  });

  test("for long chains, in which results are used again", () => {
    type Both = { value: Decimal; expected: Plain };
    const follow = (kind: Operator, left: Both, right: Both): Both => {
      const value = operate[kind](left.value, right.value);
      const expected = plainly(kind, left.expected, right.expected);
      expect(text(value)).toBe(plainText(expected));
      return { value, expected };
    };
    const both = number.map((written) => ({ value: parse(written), expected: plain(written) }));
    const steps = fc.array(fc.tuple(operator, both, fc.boolean()), { maxLength: 25 });
    fc.assert(
      fc.property(both, steps, (first, chain) => {
        let last: Both = first;
        for (const [kind, other, isLeft] of chain) {
          const [left, right] = isLeft ? [other, last] : [last, other];
          if (isPossible(kind, right.value)) last = follow(kind, left, right);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("for negation, absolute value, halves and moves of the point", () => {
    const minusOne = plain("-1");
    fc.assert(
      fc.property(number, fc.integer({ min: -30, max: 30 }), (written, places) => {
        const value = parse(written);
        const negated = plainText(plainly("*", plain(written), minusOne));
        expect(text(value.negated())).toBe(negated);
        expect(text(value.abs())).toBe(value.isNegative() ? negated : text(value));
        expect(text(value.halved())).toBe(text(value.dividedBy(Decimal.two)));
        expect(text(value.shiftedBy(places))).toBe(
          plainText(plainly("*", plain(written), plain(`1e${places}`))),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test("for integers and amounts of any length", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 255n), max: 1n << 256n }), (units) => {
        const integer = normal({ integer: units, scale: 0 });
        expect(text(Decimal.fromInteger(units))).toBe(plainText(integer));
        const amount = plainly("/", integer, plain("1e18"));
        expect(text(Decimal.fromUnits(units, 18))).toBe(plainText(amount));
      }),
    );
  });
});

describe("a decimal", () => {
  test("compares by value, whatever its trailing zeros", () => {
    fc.assert(
      fc.property(number, number, (left, right) => {
        const [a, b] = [parse(left), parse(right)];
        const sign = compareExactly(plain(text(a)), plain(text(b)));
        expect(Math.sign(a.compare(b))).toBe(sign);
        expect([a.lessThan(b), a.equals(b), a.greaterThan(b)]).toEqual([
          sign < 0,
          sign === 0,
          sign > 0,
        ]);
      }),
    );
    expect(parse("1.50").equals(parse("1.5"))).toBe(true);
    expect(parse("-150e-2").compare(parse("-1.5"))).toBe(0);
  });

  test("is read back as it was written", () => {
    fc.assert(
      fc.property(number, operator, number, (left, kind, right) => {
        fc.pre(kind !== "/" || !parse(right).isZero());
        const written = text(operate[kind](parse(left), parse(right)));
        expect(text(parse(written))).toBe(written);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is zero when a divisor that may be zero is", () => {
    expect(Decimal.one.safeDividedBy(Decimal.zero)).toBe(Decimal.zero);
    expect(text(Decimal.one.safeDividedBy(parse("3")))).toBe(`0.${"3".repeat(34)}`);
    expect(() => Decimal.one.dividedBy(parse("0.00"))).toThrow("divided by zero");
  });

  test("has no negative zero", () => {
    expect(text(parse("-0"))).toBe("0");
    expect(text(parse("-0.00").negated().abs())).toBe("0");
    expect(parse("-0").isNegative()).toBe(false);
  });

  test("stays zero however often it is multiplied", () => {
    let zero = parse("0.00");
    for (let times = 0; times < 10_000; times++) zero = zero.times(parse("1.5"));
    expect(text(zero.plus(Decimal.one))).toBe("1");
  });

  test.each(["", "-", ".", "1.2.3", "1e", "e5", "0x10", "1_000", " 1", "NaN", "1e6145", "--1"])(
    "cannot be read from %j",
    (written) => {
      expect(() => parse(written)).toThrow("is no decimal");
    },
  );

  test("is read with or without digits on one side of the point", () => {
    expect(
      [".5", "-.5", "5.", "1E2", "1e+2", "007"].map((written) => text(parse(written))),
    ).toEqual(["0.5", "-0.5", "5", "100", "100", "7"]);
  });
});

function compareExactly(left: Plain, right: Plain): number {
  const scale = Math.max(left.scale, right.scale);
  const scaledLeft = left.integer * 10n ** BigInt(scale - left.scale);
  const scaledRight = right.integer * 10n ** BigInt(scale - right.scale);
  if (scaledLeft === scaledRight) return 0;
  return scaledLeft < scaledRight ? -1 : 1;
}
