import type { Health, Slipway } from "@slipway/sdk";
import { useEffect, useState } from "preact/hooks";
import { EndpointTable } from "./endpoint-table.tsx";

const refreshMs = 2_000;

/** What runs, how it is doing, and what can be asked of it. */
export function Overview({ client }: { client: Slipway }) {
  const health = useHealth(client);
  return (
    <>
      <header>
        <h1>Slipway</h1>
        {health && <span class="badge">{health.mode}</span>}
        <nav>
          <a href="/docs">API reference</a>
          <a href="/metrics">Metrics</a>
        </nav>
      </header>
      <main>
        <section class="card" aria-live="polite">
          <h2>Health</h2>
          {health ? (
            <HealthTable health={health} />
          ) : (
            <p class="bad">✗ The service does not answer.</p>
          )}
        </section>
        <section class="card">
          <h2>Endpoints</h2>
          <EndpointTable isSandbox={health?.mode === "sandbox"} />
        </section>
      </main>
    </>
  );
}

function useHealth(client: Slipway): Health | undefined {
  const [health, setHealth] = useState<Health>();
  useEffect(() => {
    const refresh = () => client.health().then(setHealth, () => setHealth(undefined));
    void refresh();
    const timer = setInterval(refresh, refreshMs);
    return () => clearInterval(timer);
  }, [client]);
  return health;
}

function HealthTable({ health }: { health: Health }) {
  const rows = [
    {
      name: "service",
      state: health.status,
      isGood: health.status === "ok",
      note: `version ${health.version}`,
    },
    {
      name: "database",
      state: health.database.ok ? "ok" : "not reachable",
      isGood: health.database.ok,
      note: "",
    },
    ...Object.entries(health.roles).map(([name, { state, restarts, lastError }]) => ({
      name,
      state,
      isGood: state === "running",
      note: restarts > 0 ? `started again ${restarts} times; last: ${lastError}` : "",
    })),
  ];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">State</th>
          <th scope="col">Note</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, state, isGood, note }) => (
          <tr key={name}>
            <td>{name}</td>
            <td class={isGood ? "good" : "bad"}>
              {isGood ? "✓" : "✗"} {state}
            </td>
            <td>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
