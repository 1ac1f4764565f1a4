import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ServerSentEvent, SseReader } from "./sse.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What is read from bytes that come in these pieces; events without data only tell an id. */
function readAll(pieces: Uint8Array[], reader = new SseReader()): ServerSentEvent[] {
  return pieces.flatMap((piece) => reader.read(piece)).filter(({ data }) => data !== undefined);
}

/** The standard's rules, followed to the letter over the whole text. */
function eventsIn(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  let data = "";
  let id = "";
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  for (const line of lines.slice(0, -1)) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === "" && data !== "") events.push({ data: data.slice(0, -1), id });
    if (line === "") data = "";
    else if (field === "data") data += `${value}\n`;
    else if (field === "id" && !value.includes("\0")) id = value;
  }
  return events;
}

const text = fc.oneof(fc.string(), fc.constantFrom("", " ", "é€😀", "\0", ":", "﻿", "1"));
const cleaned = text.map((value) => value.replace(/[\r\n]/g, ""));
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: cleaned.map((value) => `data:${value}`) },
  fc
    .tuple(fc.constantFrom("data", "id", "event", "retry", "", "x"), cleaned)
    .map((p) => p.join(": ")),
  cleaned,
);
const document = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n"))),
    cleaned,
  )
  .map(([start, lines, rest]) => start + lines.flat().join("") + rest);

describe("server-sent events", () => {
  test("are read as the standard says, wherever the bytes are cut", () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(300)), (whole, cuts) => {
        const bytes = bytesOf(whole);
        const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length];
        places.sort((a, b) => a - b);
        const pieces = places.map((place, index) => bytes.subarray(place, places[index + 1]));
        expect(readAll(pieces)).toEqual(eventsIn(whole));
        expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(eventsIn(whole));
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, string, ServerSentEvent[]]>([
    ["data over several lines", "data: a\ndata:b\ndata\n\n", [{ data: "a\nb\n", id: "" }]],
    ["one blank after the colon at most", "data:  a\n\n", [{ data: " a", id: "" }]],
    ["an empty data line", "data\n\n", [{ data: "", id: "" }]],
    ["comments", ": ping\n\ndata: a\n\n", [{ data: "a", id: "" }]],
    ["a start for which no end came", "data: a\n\ndata: b\n", [{ data: "a", id: "" }]],
    [
      "an id that stays",
      "id: 7\ndata: a\n\ndata: b\n\n",
      [
        { data: "a", id: "7" },
        { data: "b", id: "7" },
      ],
    ],
    [
      "an id that is taken back",
      "id: 7\ndata: a\n\nid\ndata: b\n\n",
      [
        { data: "a", id: "7" },
        { data: "b", id: "" },
      ],
    ],
  ])("%s", (_, whole, events) => {
    expect(readAll([bytesOf(whole)])).toEqual(events);
  });

  test("are there as soon as their last byte is, also where it is a carriage return", () => {
    const reader = new SseReader();
    expect(readAll([bytesOf("data: a\r\r")], reader)).toEqual([{ data: "a", id: "" }]);
    expect(readAll([bytesOf("\ndata: b\r\n"), bytesOf("\r")], reader)).toEqual([
      { data: "b", id: "" },
    ]);
  });

  test("go on with the id of the connection before, and say how long to wait", () => {
    const reader = new SseReader("5");
    expect(reader.read(bytesOf("retry: 1500\nretry: soon\ndata: a\n\n"))).toEqual([
      { data: "a", id: "5" },
    ]);
    expect(reader.retryMs).toBe(1_500);
    expect(reader.read(bytesOf("id: 6\n\n"))).toEqual([{ data: undefined, id: "6" }]);
  });
});
