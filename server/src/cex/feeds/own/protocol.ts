import type { ListedMarket, Trade } from "../../market.ts";
import type { OrderBook } from "../../order-book.ts";

/** The two things that are followed of each market. */
export type Channel = "book" | "trades";

/** Some levels of a book that are different now. */
export type Change = {
  kind: "change";
  bids: number[];
  asks: number[];
  /** The exchange's serial number after the change, where it has one. */
  nonce: number | undefined;
  /** The first serial number that the change covers, where it says so: then none may be missing before. */
  first: number | undefined;
  checksum: number | undefined;
};

/** What a frame said, in terms that all exchanges share. Markets go by the names they have in the stream. */
export type Said =
  | ({ name: string } & Change)
  | { kind: "whole"; name: string; bids: number[]; asks: number[]; checksum: number | undefined }
  /** In the order in which they happened. */
  | { kind: "trades"; name: string; trades: Trade[] }
  | { kind: "subscribed"; channel: Channel; name: string }
  /** Nobody knows of what channel: exchanges do not always say. */
  | { kind: "refused"; name: string; reason: string }
  /** Something about this market made no sense. */
  | { kind: "garbled"; name: string }
  /** Something was lost, and nobody knows of which markets. */
  | { kind: "gap"; reason: string }
  /** The exchange wants us to connect anew. */
  | { kind: "leave" };

/** What is said on one connection. What a frame means may depend on those before it. */
export type Talk = {
  /** What to send first. */
  greeting: string[];
  subscribe(channel: Channel, names: readonly string[]): string[];
  unsubscribe(channel: Channel, names: readonly string[]): string[];
  /** Never throws, whatever the frame is. */
  read(frame: string): Said[];
};

/** Checks a book against what the exchange says about it. */
export type BookCheck = {
  /** Of a book that was just received as a whole. */
  whole(book: OrderBook, checksum: number): boolean;
  /** Of a book to which a change was just applied. */
  change(book: OrderBook, change: Change, checksum: number): boolean;
};

/** How one exchange talks, and how much of it is allowed. Knows no sockets and no time. */
export type Protocol = {
  /** Where its WebSocket is among ccxt's URLs. */
  urlName: string;
  /** Whether whole books come in the stream after subscribing, or have to be fetched over REST. */
  wholeBooks: "stream" | "rest";
  /** REST answers may be this old: a book is asked for when the stream has run for as long. */
  restLagMs: number;
  /** The exchange speaks about this many levels a side only; those that fall out are to be forgotten. */
  levelsMost: number;
  marketsPerConnection: number;
  marketsPerMessage: number;
  messagesPerSecond: number;
  /** Whole books that may be asked for, over all markets. */
  wholeBooksPerSecond: number;
  /** Connections are replaced at this age, by others that are already running. Needs serial numbers without holes. */
  connectionMostMs: number;
  /** What the stream calls a market; nothing where it does not have it. Two markets may be one there. */
  nameOf(market: ListedMarket): string | undefined;
  openTalk(): Talk;
  checkOf?(market: ListedMarket): BookCheck;
};
