/** Figures come as decimal text and are shown without ever becoming a float: `Intl` reads the text itself. */
export type Figure = string | number;

const subscripts = "₀₁₂₃₄₅₆₇₈₉";
const dash = "–";

/** A figure with at most so many decimals. */
export function decimal(
  figure: Figure | null | undefined,
  digitsMost = 2,
  digitsLeast = 0,
): string {
  const text = numeric(figure);
  if (text === undefined) return dash;
  return formatter({
    maximumFractionDigits: digitsMost,
    minimumFractionDigits: Math.min(digitsLeast, digitsMost),
  }).format(text);
}

/** A price: as many digits as tell prices apart, whatever its size. Many zeros are counted: 0.0₇94. */
export function price(figure: Figure | null | undefined): string {
  const text = numeric(figure);
  if (text === undefined) return dash;
  const zeros = /^-?0\.(0{4,})([1-9]\d{0,3})/.exec(text);
  if (zeros) {
    const count = [...String(zeros[1]?.length ?? 0)].map((digit) => subscripts[Number(digit)]);
    return `${text.startsWith("-") ? "−" : ""}0.0${count.join("")}${zeros[2]}`;
  }
  const whole = text.replace(/^-/, "").split(".")[0]?.length ?? 1;
  if (whole > 1) return decimal(text, whole > 4 ? 2 : 4, 2);
  return formatter({ maximumSignificantDigits: 6 }).format(text);
}

/** US dollars and cents. */
export function dollars(figure: Figure | null | undefined): string {
  const text = numeric(figure);
  if (text === undefined) return dash;
  return formatter({ style: "currency", currency: "USD" }).format(text);
}

/** US dollars, rounded to be read at a glance: $1.2M. */
export function aboutDollars(figure: Figure | null | undefined): string {
  const text = numeric(figure);
  if (text === undefined) return dash;
  const isSmall = /^-?\d{1,3}(\.|$)/.test(text);
  if (isSmall) return dollars(text);
  return formatter({
    style: "currency",
    currency: "USD",
    notation: "compact",
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  }).format(text);
}

/** A quantity, rounded to be read at a glance: 1.2M. */
export function about(figure: Figure | null | undefined): string {
  const text = numeric(figure);
  if (text === undefined) return dash;
  return formatter({ notation: "compact", maximumSignificantDigits: 4 }).format(text);
}

/** How much a figure moved, as a part of what it was; nothing when there is nothing to compare with. */
export function changeOf(from: Figure | undefined, to: Figure | undefined): number | undefined {
  const before = Number(from);
  const after = Number(to);
  if (!Number.isFinite(before) || !Number.isFinite(after) || before === 0) return undefined;
  return after / before - 1;
}

/** A change with its sign: colour alone never says which way it went. */
export function signedPercent(change: number): string {
  return formatter({
    style: "percent",
    signDisplay: "exceptZero",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(change);
}

/** The beginning and the end of something long, such as an address. */
export function shortened(text: string, kept = 6): string {
  return text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept)}…${text.slice(-kept + 2)}`;
}

type NumericText = `${number}`;

const formatters = new Map<string, Intl.NumberFormat>();

/** Making a formatter costs a hundred times as much as using it. */
function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", options);
  formatters.set(key, made);
  return made;
}

function numeric(figure: Figure | null | undefined): NumericText | undefined {
  const text = typeof figure === "number" ? plain(figure) : figure?.trim();
  return text !== undefined && isNumeric(text) ? text : undefined;
}

function isNumeric(text: string): text is NumericText {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** A number without an exponent. */
function plain(number: number): string {
  const text = String(number);
  return text.includes("e") ? number.toFixed(20).replace(/\.?0+$/, "") : text;
}
