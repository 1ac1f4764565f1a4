import { type LiveState, live } from "../live/connection.ts";

const words: Record<LiveState, string> = {
  idle: "Nothing on this page is live",
  connecting: "Connecting to live data",
  live: "Live data",
  broken: "Live data is interrupted, connecting again",
};

/** Whether what is shown is live. */
export function LiveDot() {
  const state = live.state.value;
  const look = state === "live" ? "text-up" : state === "broken" ? "text-bad" : "text-quiet";
  const sign = state === "live" ? "●" : state === "broken" ? "✗" : "○";
  return (
    <span role="status" title={words[state]} className={`${look} text-xs`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{words[state]}</span>
    </span>
  );
}
