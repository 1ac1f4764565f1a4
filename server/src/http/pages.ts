import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import staticFiles from "@fastify/static";
import type { Log } from "../lib/log.ts";
import type { App } from "./app.ts";
import { pagePolicy } from "./headers.ts";

const consoleFolder = join(
  dirname(createRequire(import.meta.url).resolve("@slipway/console/package.json")),
  "dist",
);

/** Adds the pages for people: the console and the API reference. Both are files that we serve ourselves. */
export async function addPages(app: App, log: Log, folder = consoleFolder): Promise<void> {
  if (!existsSync(folder)) {
    log.warn("the console is not built, so /console and /docs are not served; run npm run build");
    return;
  }
  await app.register(staticFiles, {
    root: folder,
    // We choose below which file a path gets.
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names under assets/ change with their content; the pages that name them do not.
      reply.header(
        "cache-control",
        path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      );
      reply.header("content-security-policy", pagePolicy);
    },
  });
  /** The console has pages of its own at paths that are no files. What a page loads is there or is not. */
  function fileFor(path: string): string {
    return path.startsWith("assets/") || isFile(join(folder, path)) ? path : "index.html";
  }

  const schema = { hide: true };
  app.get("/", { schema }, (_, reply) => reply.redirect("/console"));
  app.get("/console", { schema }, (_, reply) => reply.sendFile("index.html"));
  app.get<{ Params: { "*": string } }>("/console/*", { schema }, (request, reply) =>
    reply.sendFile(fileFor(request.params["*"])),
  );
  app.get("/docs", { schema }, (_, reply) => reply.sendFile("docs.html"));
}

/** Names that cannot be a file's are none. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
