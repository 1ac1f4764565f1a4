const idsMost = 5_000;

/** The ids of a market's last trades: streams repeat themselves, and REST repeats streams. */
export class RecentIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Says whether the id is new. The oldest makes room for it. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > idsMost) {
      for (const oldest of this.#ids) {
        this.#ids.delete(oldest);
        break;
      }
    }
    return true;
  }

  static readonly most = idsMost;
}
