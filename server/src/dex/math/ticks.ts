/** A tick at which positions begin or end. */
export type Tick = {
  readonly tick: number;
  /** All liquidity that begins or ends here. */
  readonly liquidityGross: bigint;
  /** The liquidity that comes in when the price rises through here. */
  readonly liquidityNet: bigint;
};

/** The ticks of a pool at which positions begin or end, in order. */
export class Ticks {
  private readonly rows: Tick[];

  constructor(rows: Iterable<Tick> = []) {
    this.rows = [...rows].sort((left, right) => left.tick - right.tick);
  }

  /**
   * Adds liquidity between two ticks, or takes it away if it is negative.
   * Returns whether that can be: if there is less than is taken away, nothing changes.
   */
  add(tickLower: number, tickUpper: number, liquidity: bigint): boolean {
    if (liquidity === 0n) return true;
    const least = -liquidity;
    if (this.grossAt(tickLower) < least || this.grossAt(tickUpper) < least) return false;
    this.change(tickLower, liquidity, liquidity);
    this.change(tickUpper, liquidity, -liquidity);
    return true;
  }

  /** A tick, unless no position begins or ends there. */
  get(tick: number): Tick | undefined {
    const row = this.rows[this.countUpTo(tick) - 1];
    return row?.tick === tick ? row : undefined;
  }

  /** How many ticks there are up to and including this one; so this is also the index of the first above it. */
  countUpTo(tick: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = this.rows[middle];
      if (row && row.tick <= tick) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The tick at an index, if there are that many. */
  at(index: number): Tick | undefined {
    return this.rows[index];
  }

  [Symbol.iterator](): Iterator<Tick> {
    return this.rows.values();
  }

  private grossAt(tick: number): bigint {
    return this.get(tick)?.liquidityGross ?? 0n;
  }

  private change(tick: number, grossChange: bigint, netChange: bigint): void {
    const known = this.get(tick);
    const liquidityGross = (known?.liquidityGross ?? 0n) + grossChange;
    const liquidityNet = (known?.liquidityNet ?? 0n) + netChange;
    const index = this.countUpTo(tick - 1);
    const changed = liquidityGross === 0n ? [] : [{ tick, liquidityGross, liquidityNet }];
    this.rows.splice(index, known ? 1 : 0, ...changed);
  }
}
