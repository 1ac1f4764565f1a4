import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadFile } from "../file-exchange.ts";
import { element, parseXml, pathOf, writeXml } from "./xml.ts";

const parse = (text: string | Buffer) => parseXml(Buffer.from(text));

describe("XML", () => {
  test("is read with its namespaces, texts and attributes", () => {
    const root = parse(
      '\ufeff<a:R xmlns:a="urn:x" k="1&lt;2"><a:C>x &amp; <![CDATA[<y>]]></a:C></a:R>',
    );
    expect(root).toMatchObject({ name: "R", namespace: "urn:x", children: [{ text: "x & <y>" }] });
    expect([...root.attributes]).toEqual([["k", "1<2"]]);
  });

  test("is written so that it reads the same", () => {
    const texts = fc.string({ unit: "grapheme-ascii" });
    fc.assert(
      fc.property(texts, texts, (text, attribute) => {
        const written = writeXml(element("R", [element("C", text, { k: attribute })]), "urn:x");
        const [child] = parseXml(written).children;
        expect(child).toMatchObject({ name: "C", namespace: "urn:x", text });
        expect(child?.attributes.get("k")).toBe(attribute);
      }),
    );
  });

  test("says where something stands", () => {
    const root = parse("<R><A/><B><C/></B><B><C/><C/></B></R>");
    const last = root.children[2]?.children[1] ?? root;
    expect(pathOf(last)).toBe("R/B[2]/C[2]");
    expect(pathOf(root.children[0] ?? root)).toBe("R/A");
  });

  test("cannot hold every character, and what we write never has those", () => {
    expect(() => writeXml(element("R", "a\u0001"), "urn:x")).toThrow("Broken assumption");
  });
});

describe("what is only there to do harm is refused:", () => {
  const laughs = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join("");

  test.each<[what: string, bytes: string | Buffer, message: string]>([
    ["a billion laughs", `<!DOCTYPE R [<!ENTITY l0 "ha">${laughs}]><R>&l9;</R>`, "document type"],
    ["a document type", "<!DOCTYPE R><R/>", "document type"],
    [
      "an entity from outside",
      '<!DOCTYPE R [<!ENTITY x SYSTEM "file:///etc/passwd">]><R>&x;</R>',
      "document type",
    ],
    ["an entity that nobody declared", "<R>&nbsp;</R>", "undefined entity"],
    ["ten megabytes", `<R>${" ".repeat(10_000_000)}</R>`, "at most 10000000 bytes"],
    ["depth", "<R>".repeat(100_000), "at most 32 deep"],
    ["names without end", `<${"R".repeat(100_000)}/>`, "long names"],
    ["another encoding", Buffer.from("<R>\xe9</R>", "latin1"), "must be UTF-8"],
    [
      "an encoding that is not the one it is in",
      '<?xml version="1.0" encoding="UTF-7"?><R/>',
      "must be UTF-8",
    ],
    ["another version of XML", '<?xml version="1.1"?><R>&#1;</R>', "version 1.0"],
    ["half a character", "<R>&#xD800;</R>", "malformed character entity"],
    ["a prefix of nothing", "<x:R/>", "unbound namespace prefix"],
    ["a file that was cut off", "<R><C>", "unclosed tag"],
    ["two roots", "<R/><R/>", "only one root"],
    ["nothing", "", "root element"],
  ])("%s", (_, bytes, message) => {
    expect(() => parse(bytes)).toThrow(BadFile);
    expect(() => parse(bytes)).toThrow(message);
  });
});
