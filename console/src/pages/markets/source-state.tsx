import { Badge } from "../../parts/badge.tsx";
import type { Source } from "./source-states.ts";

/** How a source is doing, by sign and word. */
export function SourceState({ source }: { source: Pick<Source, "sign" | "word" | "tone"> }) {
  return (
    <Badge tone={source.tone}>
      <span aria-hidden="true">{source.sign}</span> {source.word}
    </Badge>
  );
}
