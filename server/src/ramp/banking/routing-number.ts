const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** What the first two digits of a bank's number may be: districts, thrifts, electronic ones, traveller's cheques. */
const prefixes = /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/;

/** Why a text is no US bank's routing number, in words; nothing when it may be one. */
export function routingNumberFault(text: string): string | undefined {
  if (!/^\d{9}$/.test(text)) return "must have 9 digits";
  if (!hasCheckDigit(text)) return "fails its check digit";
  return prefixes.test(text) ? undefined : "is not a known US bank";
}

/** Whether nine digits, each times its weight, add up to a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return sum % 10 === 0;
}
