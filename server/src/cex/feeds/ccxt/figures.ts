/** Reads a number that an exchange sent as a number or as text. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Reads a figure as decimal text with all its digits; nothing when it is none. */
export function readFigure(value: unknown): string | undefined {
  if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return value;
  const number = readNumber(value);
  if (number === undefined) return undefined;
  const text = String(number);
  return /e/.test(text) ? withoutExponent(text) : text;
}

/** The same figure in the same text, however many zeros it was sent with. */
export function shortest(figure: string): string {
  const [whole = "0", part = ""] = figure.split(".");
  const digits = part.replace(/0+$/, "");
  const short = whole.replace(/^(-?)0+(?=\d)/, "$1");
  return digits ? `${short}.${digits}` : short;
}

/** How many digits after the point a step such as 0.005 needs. */
export function decimalsOf(step: number): number {
  return readFigure(step)?.split(".")[1]?.length ?? 0;
}

/** `1.5e-7` becomes `0.00000015`. */
function withoutExponent(text: string): string {
  const [, sign = "", whole = "", part = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const digits = whole + part;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, "0");
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
