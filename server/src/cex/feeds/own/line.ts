import { backoffMs } from "../../../lib/backoff.ts";
import type { ListedMarket } from "../../market.ts";
import type { OrderBook } from "../../order-book.ts";
import { Connection, type Ending } from "./connection.ts";
import type { FeedContext } from "./feed-context.ts";
import { FollowedMarket } from "./followed-market.ts";
import type { Said } from "./protocol.ts";

const reconnect = { firstMs: 1_000, mostMs: 30_000 };
/** A connection that lasted so long was a good one: the next is tried without a long wait. */
const steadyMs = 30_000;
/** How long an old connection and its successor run side by side: one may be behind the other. */
const overlapMs = 5_000;
/** A successor that is not ready by then is given up, and tried again as much later. */
const successorMs = 60_000;

const replaced: Ending = { fault: "closed", reason: "another connection took over" };

/** Some markets on one connection, which is replaced whenever it ends. */
export class Line {
  readonly #context: FeedContext;
  readonly #markets = new Map<string, FollowedMarket>();
  readonly #names = new Map<string, Set<FollowedMarket>>();
  readonly #closing = new AbortController();
  readonly #ran: Promise<void>;
  #connection: Connection;
  /** Runs beside the connection until it can take over. */
  #successor: Connection | undefined;
  #successorReadyAt: number | undefined;
  /** When the successor is to be given up, or the next may be tried. */
  #successorDueAt = 0;
  /** The exchange said that the connection is about to end. */
  #isLeaving = false;
  #lookedAt: number;

  constructor(context: FeedContext) {
    this.#context = context;
    this.#lookedAt = context.clock.now();
    this.#connection = this.#open();
    this.#ran = this.#run();
  }

  get count(): number {
    return this.#names.size;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(market: ListedMarket, name: string): void {
    const followed = new FollowedMarket(market, this.#context, (isAnew) =>
      this.#connection.order(isAnew ? "resubscribe" : "subscribe", "book", name),
    );
    const namesakes = this.#names.get(name);
    this.#names.set(name, new Set([...(namesakes ?? []), followed]));
    this.#markets.set(market.id, followed);
    if (!namesakes)
      for (const connection of this.#openConnections()) this.#subscribe(connection, name);
    if (this.#connection.isOpen) followed.connected();
    for (const namesake of namesakes ?? []) followed.join(namesake);
  }

  remove(market: string, name: string): void {
    const followed = this.#markets.get(market);
    const namesakes = this.#names.get(name);
    if (!followed || !namesakes) return;
    followed.stop();
    this.#markets.delete(market);
    namesakes.delete(followed);
    if (namesakes.size > 0) return;
    this.#names.delete(name);
    for (const connection of this.#openConnections()) {
      connection.order("unsubscribe", "trades", name);
      connection.order("unsubscribe", "book", name);
    }
  }

  book(market: string): OrderBook | undefined {
    return this.#markets.get(market)?.book;
  }

  /** To be called about once a second. */
  look(): void {
    this.#connection.look();
    this.#successor?.look();
    if (this.#connection.wasHeardSince(this.#lookedAt))
      this.#context.sink.heard(this.#markets.keys());
    this.#lookedAt = this.#context.clock.now();
    for (const market of this.#markets.values()) market.look();
    this.#succeed();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const market of this.#markets.values()) market.stop();
    this.#markets.clear();
    this.#connection.close(replaced);
    this.#successor?.close(replaced);
    await this.#ran;
  }

  async #run(): Promise<void> {
    const { clock, random, log, protocol } = this.#context;
    let attempt = 0;
    while (!this.#closing.signal.aborted) {
      const connection = this.#connection;
      const ending = await connection.ended;
      if (this.#closing.signal.aborted || this.#connection !== connection) continue;
      if (this.#successor?.isSettled) {
        this.#takeOver(this.#successor);
        continue;
      }
      this.#giveUpSuccessor();
      this.#isLeaving = false;
      for (const market of this.#markets.values()) market.disconnected(ending.fault, ending.reason);
      if (connection.ageMs >= steadyMs) attempt = 0;
      const waitMs = backoffMs(attempt++, reconnect, random);
      const { reason } = ending;
      log.info({ stream: protocol.urlName, reason, waitMs }, "a stream ended; connecting again");
      await clock.sleep(waitMs, this.#closing.signal);
      if (!this.#closing.signal.aborted) this.#connection = this.#open();
    }
  }

  #open(): Connection {
    const { urls, protocol, clock } = this.#context;
    const connection: Connection = new Connection(urls(protocol.urlName), protocol, clock, {
      open: () => {
        for (const name of this.#names.keys()) this.#subscribe(connection, name);
        if (connection !== this.#connection) return;
        for (const market of this.#markets.values()) market.connected();
      },
      said: (said) => this.#hear(connection, said),
    });
    return connection;
  }

  /** Where books come in the stream, each market subscribes by itself, within its budget. */
  #subscribe(connection: Connection, name: string): void {
    connection.order("subscribe", "trades", name);
    if (this.#context.protocol.wholeBooks === "rest") connection.order("subscribe", "book", name);
  }

  #hear(connection: Connection, said: Said): void {
    if (said.kind === "gap") {
      connection.close({ fault: "sequence", reason: said.reason });
    } else if (said.kind === "leave") {
      this.#leave(connection);
    } else {
      if (said.kind === "refused") connection.refuse(said.name);
      for (const market of this.#names.get(said.name) ?? []) market.hear(said);
    }
  }

  #leave(connection: Connection): void {
    if (connection !== this.#connection) return;
    if (Number.isFinite(this.#context.protocol.connectionMostMs)) this.#isLeaving = true;
    else connection.close({ fault: "closed", reason: "the exchange asked to connect anew" });
  }

  /** Brings a new connection up before the old one has to go. */
  #succeed(): void {
    const now = this.#context.clock.now();
    const successor = this.#successor;
    if (!successor) {
      const isOld = this.#connection.ageMs >= this.#context.protocol.connectionMostMs;
      if (this.#connection.isOpen && (isOld || this.#isLeaving) && now >= this.#successorDueAt) {
        this.#successor = this.#open();
        this.#successorDueAt = now + successorMs;
      }
    } else if (successor.isSettled) {
      this.#successorReadyAt ??= now;
      if (now - this.#successorReadyAt >= overlapMs) this.#takeOver(successor);
    } else if (now >= this.#successorDueAt) {
      this.#giveUpSuccessor();
      this.#successorDueAt = now + successorMs;
    }
  }

  #takeOver(successor: Connection): void {
    const old = this.#connection;
    this.#connection = successor;
    this.#successor = undefined;
    this.#successorReadyAt = undefined;
    this.#isLeaving = false;
    old.close(replaced);
  }

  #giveUpSuccessor(): void {
    this.#successor?.close(replaced);
    this.#successor = undefined;
    this.#successorReadyAt = undefined;
  }

  #openConnections(): Connection[] {
    const all = this.#successor ? [this.#connection, this.#successor] : [this.#connection];
    return all.filter(({ isOpen }) => isOpen);
  }
}
