import { useEffect, useState } from "preact/hooks";

type Operation = { method: string; path: string; summary: string };
type OpenApi = { paths: Record<string, Record<string, { summary?: string }>> };

/** Every endpoint this service has, with the curl that calls it. */
export function EndpointTable({ isSandbox }: { isSandbox: boolean }) {
  const operations = useOperations();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Method</th>
          <th scope="col">Path</th>
          <th scope="col">What it does</th>
          <th scope="col">Try it</th>
        </tr>
      </thead>
      <tbody>
        {operations.map((operation) => (
          <tr key={operation.method + operation.path}>
            <td>{operation.method}</td>
            <td>
              <code>{operation.path}</code>
            </td>
            <td>{operation.summary}</td>
            <td>
              <CopyButton text={curlFor(operation, isSandbox)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button type="button" title={text} onClick={copy}>
      {isCopied ? "Copied" : "Copy curl"}
    </button>
  );
}

function useOperations(): Operation[] {
  const [operations, setOperations] = useState<Operation[]>([]);
  useEffect(() => {
    fetch("/openapi.json")
      .then((response) => response.json() as Promise<OpenApi>)
      .then(({ paths }) => setOperations(operationsOf(paths)));
  }, []);
  return operations;
}

function operationsOf(paths: OpenApi["paths"]): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = "" }]) => ({
      method: method.toUpperCase(),
      path,
      summary,
    })),
  );
}

function curlFor({ method, path }: Operation, isSandbox: boolean): string {
  const key = isSandbox ? "slp_sandbox_master" : "$SLIPWAY_KEY";
  const verb = method === "GET" ? "" : `-X ${method} `;
  return `curl ${verb}-H "apiKey: ${key}" "${location.origin}${path}"`;
}
