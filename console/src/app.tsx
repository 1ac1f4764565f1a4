import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo } from "react";
import { Link, Route, Router, Switch, useLocation } from "wouter";
import { span } from "./lib/times.ts";
import { useNow } from "./lib/use-now.ts";
import { live } from "./live/connection.ts";
import { Page } from "./parts/page.tsx";
import { PageRequests, Requests } from "./session/page-requests.ts";
import { clientFor, keys, mode } from "./session/session.ts";
import { areas } from "./shell/areas.ts";
import { Shell } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";

const healthEveryMs = 5_000;
const pages = areas.flatMap((area) => area.pages);

/** The console. */
export function App() {
  const health = useQuery({
    queryKey: ["health"],
    queryFn: () => clientFor("account").health(),
    refetchInterval: healthEveryMs,
  });
  const told = health.data?.mode;
  useEffect(() => {
    if (told) mode.value = told;
  }, [told]);
  return (
    <Router base="/console">
      <Shell>
        {health.isError && <Silence since={health.dataUpdatedAt} />}
        {mode.value && (isSignedIn() ? <CurrentPage /> : <SignIn />)}
      </Shell>
    </Router>
  );
}

/** The service is silent: what is shown stays, and is asked for again as soon as it answers. */
function Silence({ since }: { since: number }) {
  const now = useNow();
  const queries = useQueryClient();
  useEffect(
    () => () => {
      live.hurry();
      void queries.invalidateQueries();
    },
    [queries],
  );
  return (
    <div className="mb-4 rounded-md border border-bad p-3 text-bad">
      <p role="alert">
        ✗ The service does not answer. The page goes on by itself when the service does.
      </p>
      {since > 0 && <p>What you see is {span(now - since)} old.</p>}
    </div>
  );
}

function isSignedIn(): boolean {
  return Object.keys(keys.value).length > 0;
}

function CurrentPage() {
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page has a list of its own
  const requests = useMemo(() => new Requests(), [location]);
  return (
    <PageRequests.Provider value={requests}>
      <Suspense fallback={<div className="h-96 animate-pulse rounded-lg bg-raised" />}>
        <Switch key={location}>
          {pages.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route>
            <NoSuchPage />
          </Route>
        </Switch>
      </Suspense>
    </PageRequests.Provider>
  );
}

function NoSuchPage() {
  return (
    <Page title="There is no such page">
      <p>
        <Link href="/">The overview</Link> shows what there is, and Ctrl K searches.
      </p>
    </Page>
  );
}
