import { SaxesParser } from "saxes";
import { assert, messageOf } from "../../../lib/errors.ts";
import { BadFile } from "../file-exchange.ts";

/** An element with what is in it: other elements, or a text. */
export type XmlElement = {
  name: string;
  namespace: string;
  /** By their whole names; declarations of namespaces are not among them. */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
  parent: XmlElement | undefined;
};

/** More than ten thousand wires take. */
const bytesMost = 10_000_000;
/** Messages are fourteen deep, and may be in an envelope. */
const depthMost = 32;
/** Names are told to operators when something is wrong there. */
const nameLengthMost = 64;
const problemLengthMost = 200;

/** Reads a file as XML. What is only there to do harm is refused: document types, entities, depth and size. */
export function parseXml(bytes: Buffer): XmlElement {
  if (bytes.length > bytesMost) throw new BadFile("XML", `must have at most ${bytesMost} bytes`);
  const text = decode(bytes);
  const reading = newReading();
  try {
    reading.parser.write(text).close();
  } catch (error) {
    if (error instanceof BadFile) throw error;
    throw new BadFile("XML", messageOf(error).slice(0, problemLengthMost));
  }
  const root = reading.root();
  assert(root, "what is well-formed has a root");
  return root;
}

/** An element to be written: with a text, or with other elements, of which those that are undefined are left out. */
export function element(
  name: string,
  content: string | readonly (XmlElement | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  const made: XmlElement = {
    ...{ name, namespace: "", children: [], parent: undefined },
    attributes: new Map(Object.entries(attributes)),
    text: typeof content === "string" ? content : "",
  };
  if (typeof content === "string") return made;
  for (const child of content) if (child) adopt(made, child);
  return made;
}

/** Writes elements as a document, all in one namespace. */
export function writeXml(root: XmlElement, namespace: string): Buffer {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  writeElement(lines, root, ` xmlns="${escaped(namespace)}"`);
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** Where an element stands: `Document/BkToCstmrStmt/Stmt/Ntry[3]/Amt`. */
export function pathOf(element: XmlElement): string {
  const { name, parent } = element;
  if (!parent) return name;
  const twins = parent.children.filter((child) => child.name === name);
  const position = twins.length > 1 ? `[${twins.indexOf(element) + 1}]` : "";
  return `${pathOf(parent)}/${name}${position}`;
}

/** A file that is in another encoding than it should be would be read as other names than it says. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadFile("XML", "must be UTF-8");
  }
}

function newReading() {
  const parser = new SaxesParser({ xmlns: true });
  let root: XmlElement | undefined;
  let current: XmlElement | undefined;
  let depth = 0;
  const addText = (text: string) => {
    if (current) current.text += text;
  };
  parser.on("xmldecl", ({ version, encoding = "UTF-8" }) => {
    if (version !== "1.0") throw new BadFile("XML", "must have the version 1.0");
    if (!/^(?:utf-8|us-ascii)$/i.test(encoding)) throw new BadFile("XML", "must be UTF-8");
  });
  parser.on("doctype", () => {
    throw new BadFile("XML", "must have no document type");
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    depth += 1;
    if (depth > depthMost) throw new BadFile("XML", `must be at most ${depthMost} deep`);
    if (local.length > nameLengthMost) throw new BadFile("XML", "must have no such long names");
    const opened: XmlElement = {
      ...{ name: local, namespace: uri, children: [], text: "", parent: undefined },
      attributes: new Map(
        Object.values(attributes)
          .filter(({ name, prefix }) => name !== "xmlns" && prefix !== "xmlns")
          .map(({ name, value }) => [name, value]),
      ),
    };
    if (current) adopt(current, opened);
    else root = opened;
    current = opened;
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    depth -= 1;
    current = current?.parent;
  });
  return { parser, root: () => root };
}

function adopt(parent: XmlElement, child: XmlElement): void {
  child.parent = parent;
  parent.children.push(child);
}

/** Each element on a line of its own; nothing is indented, because files get long. */
function writeElement(
  lines: string[],
  { name, attributes, children, text }: XmlElement,
  declaration = "",
): void {
  const given = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
  const start = `<${name}${declaration}${given}>`;
  if (children.length === 0) {
    lines.push(`${start}${escaped(text)}</${name}>`);
    return;
  }
  lines.push(start);
  for (const child of children) writeElement(lines, child);
  lines.push(`</${name}>`);
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Whoever writes has made the text fit for a wire before; a character that XML cannot hold is a mistake of ours. */
function escaped(text: string): string {
  assert(/^[\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]*$/.test(text), "a text can stand in XML");
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
