/** An exchange that is served, and how it is reached. */
export type ConfiguredExchange = {
  /** As in paths. */
  id: string;
  /** Every URL of the exchange goes there instead, its host being the first part of the path. */
  baseUrl: string | undefined;
  /** Ids of markets that are live from the start. */
  markets: string[];
  /** Whether it is the sandbox's: its name says so. */
  isSandbox: boolean;
};
