import { wholeAnswer } from "./columns.ts";

/** The JSON of one row, and the array it stands in. */
export type RowText = { array: string; text: string };

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Cuts JSON that comes in pieces into the items of an array: of the one that it is, or of those with certain names in
 * the object that it is. It holds no more than the item that is not complete yet.
 */
export class RowSplitter {
  readonly #isWanted: (array: string) => boolean;
  /** What has begun and is not complete: an item, or a name. */
  #kept: string | undefined;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** The JSON is an object: the texts right inside it are names of arrays, or of something else. */
  #isObject = false;
  #name = '""';
  /** The array whose items are being cut, and how deep they are. */
  #array: string | undefined;
  #itemDepth = 0;
  /** The piece at hand, and where in it what is kept begins. */
  #text = "";
  #start = -1;
  #rows: RowText[] = [];

  constructor(isWanted: (array: string) => boolean) {
    this.#isWanted = isWanted;
  }

  /** The items that are complete with this piece. */
  take(piece: string): RowText[] {
    const kept = this.#kept ?? "";
    this.#text = kept + piece;
    this.#start = this.#kept === undefined ? -1 : 0;
    this.#rows = [];
    for (let at = kept.length; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (this.#isInText) this.#readText(code, at);
      else this.#readMark(code, at);
    }
    this.#kept = this.#start < 0 ? undefined : this.#text.slice(this.#start);
    return this.#rows;
  }

  #readText(code: number, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) {
      this.#isInText = false;
      if (!this.#isName()) return;
      this.#name = this.#text.slice(this.#start, at + 1);
      this.#start = -1;
    }
  }

  #readMark(code: number, at: number): void {
    switch (code) {
      case quote:
        this.#isInText = true;
        if (this.#isName()) this.#start = at;
        break;
      case openList:
      case openObject:
        this.#open(code, at);
        break;
      case closeList:
      case closeObject:
        if (this.#isBetweenItems()) this.#leaveArray(at);
        this.#depth--;
        break;
      case comma:
        if (this.#isBetweenItems()) this.#endItem(at);
        break;
    }
  }

  #open(code: number, at: number): void {
    this.#depth++;
    if (this.#depth === 1) this.#isObject = code === openObject;
    if (code !== openList || this.#depth !== (this.#isObject ? 2 : 1)) return;
    const array = this.#isObject ? (JSON.parse(this.#name) as string) : wholeAnswer;
    if (!this.#isWanted(array)) return;
    this.#array = array;
    this.#itemDepth = this.#depth;
    this.#start = at + 1;
  }

  #leaveArray(at: number): void {
    this.#endItem(at);
    this.#array = undefined;
    this.#start = -1;
  }

  #endItem(at: number): void {
    const text = this.#text.slice(this.#start, at).trim();
    if (text !== "") this.#rows.push({ array: this.#array ?? wholeAnswer, text });
    this.#start = at + 1;
  }

  #isName(): boolean {
    return this.#isObject && this.#depth === 1;
  }

  #isBetweenItems(): boolean {
    return this.#array !== undefined && this.#depth === this.#itemDepth;
  }
}
