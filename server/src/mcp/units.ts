/** In which units the answers under a path are, and what they cover; longest paths first. */
const units: [under: string, sentence: string][] = [
  [
    "/v2/cex/{exchange}/{market}",
    "Prices are in the quote currency of the market and sizes in its base currency; timestamps are Unix milliseconds. " +
      "Covers the exchanges that cex_exchanges lists.",
  ],
  ["/v2/cex", "Covers the centralized exchanges that this service is configured to serve."],
  [
    "/v2/analytics",
    "Amounts are in the quote currency. Covers the exchanges that cex_exchanges lists.",
  ],
  [
    "/v2/dex/{exchange}/{blockchain}",
    "Figures are decimal text: token amounts in whole tokens, USD in dollars, prices of one token in the other; " +
      "timestamps are Unix seconds. Covers the exchanges that dex_exchanges lists, up to the newest block that has been indexed.",
  ],
  ["/v2/dex", "Covers the decentralized exchanges that this service is configured to index."],
  [
    "/v2/blocks",
    "Figures are decimal text, timestamps Unix seconds. Covers the blockchains that this service follows.",
  ],
  [
    "/v2/ramp",
    "Amounts are decimal text: dollars, or whole units of a cryptocurrency; times are UTC. " +
      "Covers the account of the key, and its subaccounts where userId can name one.",
  ],
];

/** The sentence about the units of an endpoint's answers. */
export function unitsOf(path: string): string {
  return units.find(([under]) => path.startsWith(under))?.[1] ?? "";
}
