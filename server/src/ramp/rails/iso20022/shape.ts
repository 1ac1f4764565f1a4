import { pathOf, type XmlElement } from "./xml.ts";

/** What may stand in an element, by the schema and by our own stricter rules. */
export type Shape =
  | { elements: readonly Part[] }
  /** A text, and what is wrong with it, if anything: `must have 9 digits`. */
  | { text: TextRule; attributes?: Readonly<Record<string, string>> };

/** An element in another: in this order, once unless it is said otherwise. */
export type Part = { name: string; occurs?: "optional" | "many"; shape: Shape };

export type TextRule = (text: string) => string | undefined;

/** What is wrong, and where. */
export type Fault = { where: string; why: string };

/** The first thing in which an element differs from its shape. */
export function shapeFault(element: XmlElement, shape: Shape): Fault | undefined {
  return "elements" in shape ? elementsFault(element, shape.elements) : textFault(element, shape);
}

/** Says that something is wrong with an element. */
export function faultAt(element: XmlElement, why: string): Fault {
  return { where: pathOf(element), why };
}

function textFault(
  element: XmlElement,
  { text, attributes = {} }: Extract<Shape, { text: TextRule }>,
): Fault | undefined {
  if (element.children.length > 0) return faultAt(element, "must be a text");
  const why = attributesFault(element, attributes) ?? text(element.text);
  return why === undefined ? undefined : faultAt(element, why);
}

function elementsFault(element: XmlElement, parts: readonly Part[]): Fault | undefined {
  const why = attributesFault(element, {});
  if (why !== undefined) return faultAt(element, why);
  if (element.text.trim() !== "") return faultAt(element, "must have no text of its own");
  let rest: readonly XmlElement[] = element.children;
  for (const part of parts) {
    const taken = rest.slice(0, countOf(rest, part, element.namespace));
    rest = rest.slice(taken.length);
    const fault = partFault(element, part, taken);
    if (fault) return fault;
  }
  return rest[0] && faultAt(rest[0], "must not be here");
}

/** How many of the elements that follow are of a part. */
function countOf(rest: readonly XmlElement[], { name, occurs }: Part, namespace: string): number {
  const most = occurs === "many" ? rest.length : 1;
  const other = rest.findIndex((next) => next.name !== name || next.namespace !== namespace);
  return Math.min(most, other === -1 ? rest.length : other);
}

function partFault(
  element: XmlElement,
  { name, occurs, shape }: Part,
  taken: readonly XmlElement[],
): Fault | undefined {
  if (taken.length === 0 && occurs !== "optional") return faultAt(element, `must have ${name}`);
  for (const child of taken) {
    const fault = shapeFault(child, shape);
    if (fault) return fault;
  }
  return undefined;
}

function attributesFault(
  { attributes }: XmlElement,
  wanted: Readonly<Record<string, string>>,
): string | undefined {
  const differs = Object.entries(wanted).find(([name, value]) => attributes.get(name) !== value);
  if (differs) return `must have ${differs[0]}="${differs[1]}"`;
  const isMore = attributes.size > Object.keys(wanted).length;
  return isMore ? "must have no other attributes" : undefined;
}
