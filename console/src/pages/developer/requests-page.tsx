import type { LoggedRequest, RequestListOptions, RequestSummary } from "@slipway/sdk";
import { lazy, Suspense } from "react";
import { useSearchParams } from "wouter";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import { decimal } from "../../lib/figures.ts";
import { dateTime, millisecondsOf } from "../../lib/times.ts";
import { useNow } from "../../lib/use-now.ts";
import { Answered } from "../../parts/answered.tsx";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Card } from "../../parts/card.tsx";
import { Tile } from "../../parts/facts.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { When } from "../../parts/figures.tsx";
import { Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAnswer } from "../../session/use-answer.ts";
import { everyHour } from "./every-hour.ts";

const LineChart = lazy(() =>
  import("../../charts/line-chart.tsx").then((module) => ({ default: module.LineChart })),
);
const everyMs = 3_000;

/** What was asked of the API with the account's keys, and what went wrong. */
export function RequestsPage() {
  const [params, setParams] = useSearchParams();
  const status = params.get("status") ?? "";
  const path = params.get("path") ?? "";
  const options: RequestListOptions = {
    limit: 100,
    ...(status && { status }),
    ...(path && { path }),
  };
  const summary = useAnswer({
    key: ["requests", "summary"],
    ask: (client) => client.requests.summary(),
    everyMs,
  });
  const requests = useAnswer({
    key: ["requests", options],
    ask: (client) => client.requests.list(options),
    everyMs,
  });
  const choose = (name: string, value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    });
  return (
    <Page title="Requests" subtitle="What was asked with this account's keys. Bodies are not kept.">
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Card title="The last 24 hours">
          <Answered answer={summary} height="16rem">
            {(told) => <Hours summary={told} />}
          </Answered>
        </Card>
        <Card title="By endpoint">
          <Answered answer={summary} height="16rem">
            {({ routes }) => (
              <Table
                caption="Requests by endpoint"
                columns={routeColumns}
                rows={routes}
                keyOf={({ method, route }) => `${method} ${route}`}
                height="18rem"
              />
            )}
          </Answered>
        </Card>
        <Card title="Newest first" className="xl:col-span-2">
          <div className="mb-3 grid gap-3 sm:grid-cols-[12rem_minmax(0,24rem)]">
            <Choice
              label="Answered with"
              value={status}
              onChange={({ currentTarget }) => choose("status", currentTarget.value)}
            >
              <option value="">anything</option>
              <option value="2xx">success (2xx)</option>
              <option value="4xx">a fault of the request (4xx)</option>
              <option value="5xx">a fault of the service (5xx)</option>
            </Choice>
            <Field
              label="Path begins with"
              value={path}
              placeholder="/v2/ramp"
              onChange={({ currentTarget }) => choose("path", currentTarget.value)}
            />
          </div>
          <Answered answer={requests} height="24rem">
            {(list) => (
              <Table
                caption="Requests, newest first"
                columns={requestColumns}
                rows={list}
                keyOf={({ id }) => id}
                empty="No request fits. Send one: the curl button of any page has some."
              />
            )}
          </Answered>
        </Card>
      </div>
    </Page>
  );
}

function Hours({ summary }: { summary: RequestSummary }) {
  const { requests, errors, notListed } = summary;
  const hours = everyHour(summary, useNow());
  const words = (index: number) => {
    const hour = hours[index];
    return hour ? `${dateTime(hour.from)}: ${hour.requests} requests, ${hour.errors} errors` : "";
  };
  return (
    <>
      <div className="mb-3 grid grid-cols-3 gap-4">
        <Tile name="Requests">{decimal(requests, 0)}</Tile>
        <Tile name="Errors">{decimal(errors, 0)}</Tile>
        <Tile name="Not listed below">
          <span title="They came too fast for each of them to be written down.">
            {decimal(notListed, 0)}
          </span>
        </Tile>
      </div>
      <ChartFrame
        title="Requests by hour"
        count={hours.length}
        describe={words}
        height="12rem"
        table={() => (
          <Table
            caption="Requests by hour"
            columns={[
              { header: "Hour", cell: ({ from }) => dateTime(from) },
              { header: "Requests", isFigure: true, cell: (hour) => decimal(hour.requests, 0) },
              { header: "Errors", isFigure: true, cell: (hour) => decimal(hour.errors, 0) },
            ]}
            rows={hours}
            keyOf={({ from }) => from}
          />
        )}
      >
        {(cursor) => (
          <Suspense>
            <LineChart
              along={hours.map(({ from }) => millisecondsOf(from) / 1_000)}
              isTime
              isStepped
              format={(value) => decimal(value, 0)}
              cursor={cursor}
              lines={[
                {
                  name: "Requests",
                  colour: "up",
                  fill: "up-fill",
                  values: hours.map((hour) => hour.requests),
                },
                {
                  name: "Errors",
                  colour: "down",
                  fill: "down-fill",
                  values: hours.map((hour) => hour.errors),
                },
              ]}
            />
          </Suspense>
        )}
      </ChartFrame>
    </>
  );
}

const routeColumns: Column<RequestSummary["routes"][number]>[] = [
  {
    header: "Endpoint",
    cell: ({ method, route }) => (
      <code className="font-mono text-xs break-all">
        {method} {route}
      </code>
    ),
  },
  { header: "Requests", isFigure: true, cell: ({ requests }) => decimal(requests, 0) },
  { header: "Errors", isFigure: true, cell: ({ errors }) => decimal(errors, 0) },
];

const requestColumns: Column<LoggedRequest>[] = [
  { header: "When", cell: ({ at }) => <When at={at} /> },
  { header: "Status", cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
  {
    header: "Request",
    cell: ({ method, path, errors, id }) => (
      <>
        <code className="font-mono text-xs break-all">
          {method} {path}
        </code>
        {errors.map((error) => (
          <div key={error} className="text-bad">
            {error}
          </div>
        ))}
        <div className="font-mono text-xs text-quiet">{id}</div>
      </>
    ),
  },
  { header: "ms", isFigure: true, cell: ({ milliseconds }) => decimal(milliseconds, 1) },
  {
    header: "Key",
    isExtra: true,
    cell: ({ keyId }) => <code className="font-mono text-xs">{keyId ?? "–"}</code>,
  },
];

function toneOf(status: number): Tone {
  if (status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}
