/** How patient and how greedy we are with the nodes of a chain. */
export type NodeLimits = {
  /** One request, and one request for logs, before it counts as lost. */
  requestMs: number;
  logRequestMs: number;
  /** A call gives up after this long without a good answer from any endpoint. */
  giveUpMs: number;
  /** The same for one block's logs: the block may have been replaced, and then nobody knows it any more. */
  giveUpBlockMs: number;
  /** How long the first question to a node, which chain it is on, may hold up the start. */
  startMs: number;
  /** An endpoint that failed rests, longer each time. */
  restFirstMs: number;
  restMostMs: number;
  /** A provider that asks us to wait longer than this is asked again all the same. */
  waitMostMs: number;
  /** How long an endpoint whose logs did not fit comes last. */
  distrustMs: number;
  /** Requests under way at one endpoint, and waiting for it. */
  concurrencyMost: number;
  waitingMost: number;
  /** Requests in one body, and batches of one call under way. */
  batchMost: number;
  batchesAtOnce: number;
  /** The longest answer, and the longest one to a request for the logs of several blocks. */
  bodyMostBytes: number;
  logBodyMostBytes: number;
  /** Addresses in one request for logs. */
  addressesMost: number;
  /** Ranges of logs: how many blocks at first and at most, and how much an answer should hold. */
  rangeFirstBlocks: number;
  rangeMostBlocks: number;
  rangeTargetLogs: number;
  rangeTargetBytes: number;
  /** Ranges under way, and logs that wait for their reader. */
  rangesAtOnce: number;
  bufferedLogsMost: number;
  /** How often "no logs" is asked again when the bloom says otherwise, and a null that should be something. */
  bloomAnswers: number;
  nullAnswers: number;
  /** How often the head is asked for: always, and while a socket tells it. */
  pollMs: number;
  pollBesideSocketMs: number;
  /** How often endpoints are compared, and how old a head may be beside the newest. */
  compareMs: number;
  behindMostSeconds: number;
  /** How often a head below the last one is seen before it is believed. */
  lowerHeadAnswers: number;
};

/** What suits public providers, paid and free, and nodes of our own. */
export const defaultLimits: NodeLimits = {
  requestMs: 15_000,
  logRequestMs: 60_000,
  giveUpMs: 300_000,
  giveUpBlockMs: 20_000,
  startMs: 5_000,
  restFirstMs: 250,
  restMostMs: 30_000,
  waitMostMs: 600_000,
  distrustMs: 600_000,
  concurrencyMost: 8,
  waitingMost: 1_000,
  batchMost: 100,
  batchesAtOnce: 4,
  bodyMostBytes: 256 * 2 ** 20,
  logBodyMostBytes: 32 * 2 ** 20,
  addressesMost: 500,
  rangeFirstBlocks: 250,
  rangeMostBlocks: 100_000,
  rangeTargetLogs: 7_500,
  rangeTargetBytes: 8 * 2 ** 20,
  rangesAtOnce: 6,
  bufferedLogsMost: 100_000,
  bloomAnswers: 3,
  nullAnswers: 4,
  pollMs: 1_000,
  pollBesideSocketMs: 5_000,
  compareMs: 30_000,
  behindMostSeconds: 60,
  lowerHeadAnswers: 5,
};
