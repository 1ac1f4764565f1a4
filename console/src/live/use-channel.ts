import type { StreamMessage } from "@slipway/sdk";
import { useEffect, useRef } from "react";
import { live } from "./connection.ts";

/** Calls `heard` for every message of a channel, as long as the component is there. */
export function useChannel(
  channel: string | undefined,
  heard: (message: StreamMessage) => void,
): void {
  const newest = useRef(heard);
  newest.current = heard;
  useEffect(() => {
    if (channel === undefined) return undefined;
    return live.listen(channel, (message) => newest.current(message));
  }, [channel]);
}
