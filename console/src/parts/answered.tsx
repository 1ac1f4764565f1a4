import { UnreachableError } from "@slipway/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../session/message-of.ts";
import { Button } from "./button.tsx";

type Props<Result> = {
  answer: UseQueryResult<Result>;
  /** How high it will be, so that nothing jumps when it comes. */
  height?: string;
  children: (result: Result) => ReactNode;
};

/** What the API answered; before that something of its size, and when it fails the reason and a way on. */
export function Answered<Result>({ answer, height = "6rem", children }: Props<Result>) {
  const { data, error, isPending, refetch } = answer;
  if (data === undefined && isPending) return <Skeleton height={height} />;
  // That nothing answers at all is said once, above the page.
  const isTold = data !== undefined && error instanceof UnreachableError;
  return (
    <>
      {error && !isTold && (
        <div role="alert" className="mb-3 rounded-md border border-bad p-3">
          <p className="text-bad">✗ {messageOf(error)}</p>
          <div className="mt-2 flex items-center gap-3">
            <Button onClick={() => void refetch()}>Ask again</Button>
            {data !== undefined && <span className="text-quiet">What follows is older.</span>}
          </div>
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

function Skeleton({ height }: { height: string }) {
  return (
    <div
      className="animate-pulse rounded-md bg-raised"
      style={{ height }}
      role="status"
      aria-label="Loading"
    />
  );
}
