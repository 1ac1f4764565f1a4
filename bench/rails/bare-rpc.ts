/** Asks a node with nothing around the request. */
export type BareRpc = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;

export function bareRpc(url: string): BareRpc {
  let id = 0;
  return async <Result>(method: string, params: readonly unknown[] = []) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
    });
    const { result, error } = (await response.json()) as { result: Result; error?: unknown };
    if (error) throw new Error(`${method} gives ${JSON.stringify(error)}`);
    return result;
  };
}
