import { BadFile } from "../file-exchange.ts";
import { kindIn, type MessageKind } from "./document.ts";
import { parseXml } from "./xml.ts";

/** Which of the messages that we know a file is; nothing when it is none. */
export function messageKindOf(bytes: Buffer): MessageKind | undefined {
  try {
    return kindIn(parseXml(bytes));
  } catch (error) {
    if (error instanceof BadFile) return undefined;
    throw error;
  }
}
