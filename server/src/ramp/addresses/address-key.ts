/** In which two ways of writing the same address are equal. The case of letters counts where base58 is used. */
export function addressKey(blockchain: string, address: string): string {
  const isCaseFree = blockchain === "bitcoin" ? /^bc1/i.test(address) : blockchain !== "solana";
  return isCaseFree ? address.toLowerCase() : address;
}
