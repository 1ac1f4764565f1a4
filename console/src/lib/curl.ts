type Request = {
  method: string;
  path: string;
  body: string | undefined;
  role: string;
  key?: string | undefined;
};

const sandboxKeyOf: Record<string, string> = {
  account: "slp_sandbox_master",
  operator: "slp_sandbox_operator",
};

/** A request as a command for the shell. In live mode the key stays out of it. */
export function curlOf(request: Request, origin: string, mode: string | undefined): string {
  const { method, path, body, role } = request;
  const key = mode === "sandbox" ? (request.key ?? sandboxKeyOf[role] ?? "") : "$SLIPWAY_API_KEY";
  const parts = ["curl"];
  if (method !== "GET" && !(method === "POST" && body !== undefined)) parts.push("-X", method);
  parts.push("-H", `"apiKey: ${key}"`);
  if (body !== undefined) parts.push("-H", quoted("content-type: application/json"));
  if (body !== undefined) parts.push("-d", quoted(body));
  parts.push(quoted(origin + path));
  return parts.join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
