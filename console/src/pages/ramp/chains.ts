const names: Record<string, string> = { bnb: "BNB Chain" };

/** A blockchain's name as people write it. */
export function chainName(blockchain: string): string {
  return names[blockchain] ?? blockchain.slice(0, 1).toUpperCase() + blockchain.slice(1);
}

const exampleAddresses: Record<string, string> = {
  bitcoin: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  solana: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV",
};

/** An address that can be tried in the sandbox. */
export function exampleAddress(blockchain: string): string {
  return exampleAddresses[blockchain] ?? "0xde709f2102306220921060314715629080e2fb77";
}

/** Both ends of an address, for comparing it with what was copied. */
export function endsOf(address: string): { first: string; last: string } {
  return { first: address.slice(0, 6), last: address.slice(-6) };
}
