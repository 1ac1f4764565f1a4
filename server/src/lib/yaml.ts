import { parse } from "yaml";

/** Reads YAML or JSON. `0x…` stays text, as it is an address more often than a number. */
export function parseYaml(text: string): unknown {
  return parse(text, {
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === "string" || !("format" in tag) || tag.format !== "HEX"),
  });
}
