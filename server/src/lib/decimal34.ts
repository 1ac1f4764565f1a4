import { assert } from "./errors.ts";

const digitsMost = 34;
/** How far a division goes before its result is rounded like any other. */
const divisionDigits = 100;
/** Far beyond anything that is counted, and small enough that no text can ask for gigabytes of zeros. */
const exponentMost = 6_144;
/** The longest power of ten that fits a machine word: dividing by two such is faster than by one long one. */
const wordDigits = 19;

const powersOfTen = Array.from({ length: 400 }, (_, exponent) => 10n ** BigInt(exponent));
const halvesOfPowers = powersOfTen.map((power) => power / 2n);
const limit = powerOfTen(digitsMost);
const negativeLimit = -limit;
/** The smallest integer of 34 digits. */
const shortestFull = powerOfTen(digitsMost - 1);

/**
 * Decimals with 34 significant digits, rounded as The Graph rounds, so that figures compare digit by digit.
 *
 * A positive result is rounded half up. A negative one is cut off after 34 digits, which are counted by its bits: often
 * one too few is counted, and 35 are left. Such a long number is cut off in the same way again when it is used.
 */
export class Decimal {
  static readonly zero = new Decimal(0n, 0);
  static readonly one = new Decimal(1n, 0);
  static readonly two = new Decimal(2n, 0);
  private static readonly half = new Decimal(5n, 1);

  // The value is coefficient × 10^-scale. Trailing zeros stay: most sums are then a single addition,
  // and only the digits of negative results depend on them, which are therefore found in the slow way.
  private readonly coefficient: bigint;
  private readonly scale: number;
  /** Negative with 35 digits. All other numbers fit 34. */
  private readonly isLong: boolean;

  private constructor(coefficient: bigint, scale: number, isLong = false) {
    this.coefficient = coefficient;
    this.scale = scale;
    this.isLong = isLong;
  }

  /** Reads decimal text, with or without an exponent. What `toString` wrote is read back as it was. */
  static parse(text: string): Decimal {
    const [isDecimal, sign, whole = "", fraction = "", exponent = "0"] =
      /^(-?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
    assert(isDecimal && Math.abs(Number(exponent)) <= exponentMost, `"${text}" is no decimal`);
    const coefficient = BigInt(`${sign}${whole}${fraction}`);
    const scale = fraction.length - Number(exponent);
    const isLong =
      coefficient <= negativeLimit &&
      countDigits(-strip(coefficient, scale).coefficient) === digitsMost + 1;
    return isLong ? new Decimal(coefficient, scale, true) : Decimal.rounded(coefficient, scale);
  }

  /** An integer, rounded if it has more digits than fit. */
  static fromInteger(value: bigint | number): Decimal {
    return Decimal.rounded(BigInt(value), 0);
  }

  /** An amount counted in its smallest unit, of which 10^decimals are one. */
  static fromUnits(units: bigint, decimals: number): Decimal {
    return Decimal.rounded(units, 0).shiftedBy(-decimals);
  }

  private static rounded(coefficient: bigint, scale: number): Decimal {
    if (coefficient < limit && coefficient > negativeLimit) return new Decimal(coefficient, scale);
    if (coefficient > 0n) return Decimal.roundedHalfUp(coefficient, scale);
    return Decimal.cutOff(coefficient, scale);
  }

  /** For positive numbers of more than 34 digits. */
  private static roundedHalfUp(coefficient: bigint, scale: number): Decimal {
    const dropped = countDigits(coefficient) - digitsMost;
    return new Decimal(dividedHalfUp(coefficient, dropped), scale - dropped);
  }

  /** For negative numbers. */
  private static cutOff(coefficient: bigint, scale: number): Decimal {
    const dropped = Math.max(0, countDigitsByBits(-coefficient) - digitsMost);
    const kept = strip(coefficient / powerOfTen(dropped), scale - dropped);
    return new Decimal(kept.coefficient, kept.scale, kept.coefficient <= negativeLimit);
  }

  plus(other: Decimal): Decimal {
    if (this.isLong || other.isLong) return this.slowly(add, other);
    const gap = this.scale - other.scale;
    const short = gap < 0 ? this.plusFiner(other, -gap) : other.plusFiner(this, gap);
    if (short) return short;
    const left = gap < 0 ? this.coefficient * powerOfTen(-gap) : this.coefficient;
    const right = gap > 0 ? other.coefficient * powerOfTen(gap) : other.coefficient;
    const sum = left + right;
    const scale = gap > 0 ? this.scale : other.scale;
    if (sum < limit && sum > negativeLimit) return new Decimal(sum, scale);
    return sum > 0n ? Decimal.roundedHalfUp(sum, scale) : this.slowly(add, other);
  }

  /** The short way to add a number with more decimal places: beside 34 digits that stay, only it has to be rounded. */
  private plusFiner(finer: Decimal, places: number): Decimal | undefined {
    if (places === 0 || this.coefficient < shortestFull || finer.coefficient < 0n) return undefined;
    const sum = this.coefficient + dividedHalfUp(finer.coefficient, places);
    return sum < limit ? new Decimal(sum, this.scale) : undefined;
  }

  minus(other: Decimal): Decimal {
    if (this.isLong || other.isLong) return this.slowly(subtract, other);
    return this.plus(new Decimal(-other.coefficient, other.scale));
  }

  times(other: Decimal): Decimal {
    if (this.isLong || other.isLong) return this.slowly(multiply, other);
    const product = this.coefficient * other.coefficient;
    // Zero would otherwise gather decimal places without end.
    if (product === 0n) return Decimal.zero;
    const scale = this.scale + other.scale;
    if (product < limit && product > negativeLimit) return new Decimal(product, scale);
    return product > 0n ? Decimal.roundedHalfUp(product, scale) : this.slowly(multiply, other);
  }

  dividedBy(other: Decimal): Decimal {
    assert(!other.isZero(), "nothing is divided by zero");
    if (this.isZero()) return Decimal.zero;
    if (this.isNegative() || other.isNegative()) return this.slowly(divide, other);
    // Two digits more than needed are enough: a divisor of 35 digits cannot make the 65 nines in a row
    // for which rounding at the hundredth digit would be felt in the 34th.
    const magnitude = Math.log10(Number(this.coefficient) / Number(other.coefficient));
    const shift = Math.floor(digitsMost + 2 - magnitude);
    const quotient = (this.coefficient * powerOfTen(shift)) / other.coefficient;
    return Decimal.roundedHalfUp(quotient, this.scale - other.scale + shift);
  }

  /** Zero if the divisor is zero. */
  safeDividedBy(other: Decimal): Decimal {
    return other.isZero() ? Decimal.zero : this.dividedBy(other);
  }

  /** The same as dividing by two, and faster. */
  halved(): Decimal {
    return this.isNegative() ? this.dividedBy(Decimal.two) : this.times(Decimal.half);
  }

  /** Moves the point to the right, or to the left if `places` is negative: multiplies by 10^places. */
  shiftedBy(places: number): Decimal {
    if (this.isLong) return this.slowly(multiply, new Decimal(1n, -places));
    return new Decimal(this.coefficient, this.scale - places);
  }

  negated(): Decimal {
    return this.isLong ? Decimal.zero.minus(this) : new Decimal(-this.coefficient, this.scale);
  }

  abs(): Decimal {
    return this.isNegative() ? this.negated() : this;
  }

  isZero(): boolean {
    return this.coefficient === 0n;
  }

  isNegative(): boolean {
    return this.coefficient < 0n;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  lessThan(other: Decimal): boolean {
    return this.compare(other) < 0;
  }

  greaterThan(other: Decimal): boolean {
    return this.compare(other) > 0;
  }

  /** Negative, zero or positive, as sorting wants it. */
  compare(other: Decimal): number {
    const gap = this.scale - other.scale;
    const left = gap < 0 ? this.coefficient * powerOfTen(-gap) : this.coefficient;
    const right = gap > 0 ? other.coefficient * powerOfTen(gap) : other.coefficient;
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  /** Plain digits, never an exponent, no trailing zeros behind the point. */
  toString(): string {
    const text = digitsAndPoint(magnitude(this.coefficient).toString(), this.scale);
    return this.isNegative() ? `-${text}` : text;
  }

  /** Does everything as The Graph does it, step by step. */
  private slowly(operation: (left: Parts, right: Parts) => Parts, other: Decimal): Decimal {
    const { coefficient, scale } = operation(this.operand(), other.operand());
    return Decimal.rounded(coefficient, scale);
  }

  private operand(): Parts {
    if (!this.isLong) return strip(this.coefficient, this.scale);
    const { coefficient, scale } = Decimal.cutOff(this.coefficient, this.scale);
    return { coefficient, scale };
  }
}

type Parts = { coefficient: bigint; scale: number };

function add(left: Parts, right: Parts): Parts {
  const scale = Math.max(left.scale, right.scale);
  const coefficient =
    left.coefficient * powerOfTen(scale - left.scale) +
    right.coefficient * powerOfTen(scale - right.scale);
  return { coefficient, scale };
}

function subtract(left: Parts, right: Parts): Parts {
  return add(left, { coefficient: -right.coefficient, scale: right.scale });
}

function multiply(left: Parts, right: Parts): Parts {
  return { coefficient: left.coefficient * right.coefficient, scale: left.scale + right.scale };
}

/** Goes on until it comes out even or has 100 digits, the last of which is rounded half up. */
function divide(left: Parts, right: Parts): Parts {
  const dividend = magnitude(left.coefficient);
  const divisor = magnitude(right.coefficient);
  const isNegative = left.coefficient < 0n !== right.coefficient < 0n;
  const shift = divisionDigits - digitsOfQuotient(dividend, divisor);
  const shifted = dividend * powerOfTen(shift);
  const quotient = (2n * shifted + divisor) / (2n * divisor);
  const scale = left.scale - right.scale + shift;
  // Zeros at the end are digits only of a quotient that did not come out even.
  const isEven = shifted % divisor === 0n;
  const signed = isNegative ? -quotient : quotient;
  return isEven ? strip(signed, scale) : { coefficient: signed, scale };
}

/** Digits before the point; zero or less if there are zeros right behind it. */
function digitsOfQuotient(dividend: bigint, divisor: bigint): number {
  const digits = countDigits(dividend) - countDigits(divisor);
  const isLess =
    digits < 0 ? dividend * powerOfTen(-digits) < divisor : dividend < divisor * powerOfTen(digits);
  return isLess ? digits : digits + 1;
}

/** Drops trailing zeros. */
function strip(coefficient: bigint, scale: number): Parts {
  if (coefficient === 0n) return { coefficient, scale: 0 };
  const digits = coefficient.toString();
  const zeros = digits.length - lengthWithoutZeros(digits);
  return { coefficient: coefficient / powerOfTen(zeros), scale: scale - zeros };
}

function digitsAndPoint(digits: string, scale: number): string {
  if (digits === "0") return digits;
  if (scale <= 0) return digits + "0".repeat(-scale);
  const point = digits.length - scale;
  const end = lengthWithoutZeros(digits);
  if (point <= 0) return `0.${"0".repeat(-point)}${digits.slice(0, end)}`;
  const whole = digits.slice(0, point);
  return end <= point ? whole : `${whole}.${digits.slice(point, end)}`;
}

function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits.charCodeAt(length - 1) === "0".charCodeAt(0)) length--;
  return length;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Of a positive integer: by its logarithm, unless that is too near to a whole number to tell. */
function countDigits(value: bigint): number {
  const logarithm = Math.log10(Number(value));
  const isClear = Math.abs(logarithm - Math.round(logarithm)) > 1e-9;
  return isClear ? Math.floor(logarithm) + 1 : value.toString().length;
}

/** Of a positive integer; exact or one too few. */
function countDigitsByBits(value: bigint): number {
  return Math.floor(value.toString(2).length / Math.log2(10));
}

/** A positive integer divided by a power of ten. */
function dividedHalfUp(value: bigint, exponent: number): bigint {
  const raised = value + halfOfPower(exponent);
  if (exponent <= wordDigits) return raised / powerOfTen(exponent);
  return raised / powerOfTen(wordDigits) / powerOfTen(exponent - wordDigits);
}

function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}

function halfOfPower(exponent: number): bigint {
  return halvesOfPowers[exponent] ?? 10n ** BigInt(exponent) / 2n;
}
