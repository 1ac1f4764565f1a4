const prime = 2n ** 255n - 19n;
/** The curve's constant: -121665 / 121666. */
const curveConstant =
  37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether 32 bytes are a public key of Ed25519: a point on its curve, y in little-endian and the sign of x above. On
 * Solana no private key belongs to addresses for which they are not; programs own those.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const number = BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
  const y = number & (2n ** 255n - 1n);
  const ySquared = (y * y) % prime;
  // x² = (y² - 1) / (d·y² + 1) has a root if the product of the two has: Euler's criterion.
  const product = (ySquared - 1n + prime) * (curveConstant * ySquared + 1n);
  return power(product % prime, (prime - 1n) / 2n) <= 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let factor = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % prime;
    factor = (factor * factor) % prime;
  }
  return result;
}
