import type { NewQuote, Quote } from "@slipway/sdk";
import { useEffect, useRef, useState } from "react";
import { millisecondsOf } from "../../lib/times.ts";
import { useOrder } from "../../session/use-answer.ts";
import { useRampNow } from "./use-ramp-now.ts";

/** Typing is over when nothing was typed for so long. */
const pauseMs = 300;

export type LiveQuote = {
  /** The newest quote, also while another one is asked for. */
  quote: Quote | undefined;
  /** Whether the quote is of what is wanted now, and still holds. */
  isGood: boolean;
  isExpired: boolean;
  leftMs: number;
  isPending: boolean;
  error: Error | null;
  /** Asks for another one. */
  renew(): Promise<unknown>;
};

/** A quote of what is wanted, asked for anew whenever that changes. */
export function useQuote(wanted: NewQuote | undefined): LiveQuote {
  const [held, setHeld] = useState<{ quote: Quote; words: string }>();
  const words = JSON.stringify(wanted);
  const newest = useRef(words);
  newest.current = words;
  const order = useOrder({
    send: async (client, asked: NewQuote) => ({
      quote: await client.ramp.quotes.create(asked),
      words: JSON.stringify(asked),
    }),
    // An answer to what is no longer wanted may come last.
    done: (answer) => answer.words === newest.current && setHeld(answer),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are what is wanted
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setTimeout(() => order.mutate(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [words]);
  const now = useRampNow();
  const leftMs = held ? leftOf(held.quote, now) : 0;
  const isExpired = held !== undefined && leftMs <= 0;
  return {
    quote: held?.quote,
    isGood: held?.words === words && !isExpired,
    isExpired,
    leftMs,
    isPending: order.isPending || (wanted !== undefined && held?.words !== words && !order.error),
    error: wanted ? order.error : null,
    renew: () => (wanted ? order.mutateAsync(wanted) : Promise.reject(new Error("no amount"))),
  };
}

/** Never more than the quote's whole life: our clock is told once a second, and may lag behind the ramp's. */
function leftOf({ createdAt, expiresAt }: Quote, now: number): number {
  const end = millisecondsOf(expiresAt);
  return end - Math.max(now, millisecondsOf(createdAt));
}
