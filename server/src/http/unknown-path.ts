import type { FastifyReply, FastifyRequest } from "fastify";
import { envelope, sendErrorAnswer } from "./errors.ts";

/** Answers a path nobody has (404), or one that exists but not with this method (405). */
export function answerUnknown(known: readonly { method: string; path: string }[]) {
  const patterns = known.map(({ method, path }) => ({ method, pattern: patternOf(path) }));

  return (request: FastifyRequest, reply: FastifyReply): void => {
    const [path = "/"] = request.url.split("?", 1);
    const methods = patterns
      .filter(({ pattern }) => pattern.test(path))
      .map(({ method }) => method);
    const answer =
      methods.length > 0
        ? envelope(405, [`This path takes ${methods.join(", ")}, not ${request.method}.`])
        : envelope(404, ["The requested resource was not found. /docs lists every path."]);
    if (methods.length > 0) reply.header("allow", allowOf(methods));
    sendErrorAnswer(request, reply, answer);
  };
}

function allowOf(methods: readonly string[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}/?$`);
}
