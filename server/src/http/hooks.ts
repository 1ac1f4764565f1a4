import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";

/** What somebody outside sends us: the text of the body is what was signed, so it comes as it was sent. */
export type HookMessage = { headers: IncomingHttpHeaders; body: string };

/** A place for messages of a service we use. There is no key: the message itself proves where it comes from. */
export type Hook = {
  path: string;
  /** Throws a `CallerError` for a message that is not genuine or makes no sense; otherwise it was taken for good. */
  receive(message: HookMessage): Promise<void>;
};

/** Adds the hooks, each as a POST that is answered without a body. */
export async function addHooks(app: FastifyInstance, hooks: readonly Hook[]): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, body));
    for (const { path, receive } of hooks) {
      scope.post<{ Body: string | undefined }>(
        path,
        { schema: { hide: true } },
        async (request, reply) => {
          await receive({ headers: request.headers, body: request.body ?? "" });
          reply.header("cache-control", "no-store").code(204);
        },
      );
    }
  });
}
