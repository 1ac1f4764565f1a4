/** A whole number of the smallest units as decimal text with all its digits: 12345 with 2 decimals is "123.45". */
export function digitsOf(units: number, decimals: number): string {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
