import type { Slipway } from "@slipway/sdk";
import {
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useContext, useRef } from "react";
import { passes } from "./message-of.ts";
import { PageRequests } from "./page-requests.ts";
import { clientFor, keys, type Role } from "./session.ts";

/** How often what failed is asked for again, when that may help. */
const againMs = 5_000;

type Question<Result> = {
  /** What is asked for: the same words share one answer. */
  key: QueryKey;
  ask(client: Slipway): Promise<Result>;
  /** `account` when left out. */
  role?: Role;
  /** Asks again so often; for what the stream does not tell. */
  everyMs?: number;
  isWanted?: boolean;
};

/** An answer of the API. The page's `curl` button knows how it was asked for. */
export function useAnswer<Result>(question: Question<Result>): UseQueryResult<Result> {
  const { key, ask, role = "account", everyMs, isWanted = true } = question;
  const requests = useContext(PageRequests);
  return useQuery({
    queryKey: [role, keys.value[role], ...key],
    queryFn: () => ask(clientFor(role, requests.note)),
    enabled: isWanted,
    refetchInterval: ({ state }) => (passes(state.error) ? againMs : (everyMs ?? false)),
  });
}

type Order<Input, Result> = {
  send(client: Slipway, input: Input): Promise<Result>;
  role?: Role;
  /** The beginnings of keys whose answers are no longer true. */
  changes?: QueryKey[];
  done?(result: Result): void;
};

/** Something that is done rather than asked for. */
export function useOrder<Input, Result>(
  order: Order<Input, Result>,
): UseMutationResult<Result, Error, Input> {
  const requests = useContext(PageRequests);
  const queries = useQueryClient();
  // What is sent is what stands on the screen: the library takes over new functions only after the next paint.
  const newest = useRef(order);
  newest.current = order;
  return useMutation({
    mutationFn(input: Input) {
      const { send, role = "account" } = newest.current;
      return send(clientFor(role, requests.note), input);
    },
    onSuccess(result) {
      const { changes = [], done } = newest.current;
      for (const key of changes) {
        void queries.invalidateQueries({
          predicate: ({ queryKey }) => key.every((word, index) => queryKey[index + 2] === word),
        });
      }
      done?.(result);
    },
  });
}
