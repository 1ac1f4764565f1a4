/** The timeframes that candles are served in on every exchange, and their seconds. Each divides the next. */
export const timeframes: ReadonlyMap<string, number> = new Map([
  ["1m", 60],
  ["5m", 300],
  ["15m", 900],
  ["1h", 3_600],
  ["6h", 21_600],
  ["1d", 86_400],
]);
