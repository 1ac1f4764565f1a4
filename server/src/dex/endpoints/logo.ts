import type { App } from "../../http/app.ts";
import { CallerError } from "../../lib/errors.ts";
import { logoSvg } from "../logo.ts";

const imageForm = /^(0x[0-9a-f]{40}|[a-z]{2,10})\.svg$/i;

/** Adds the pictures of tokens and currencies, which need no key: they are in pages, and show nothing that is not in their address. */
export function addLogos(app: App): void {
  app.get<{ Params: { image: string } }>(
    "/logo/:blockchain/:image",
    { schema: { hide: true } },
    (request, reply) => {
      const [, name] = imageForm.exec(request.params.image) ?? [];
      if (!name) {
        throw new CallerError(
          "not_found",
          "There is no such picture: they are named 0x….svg or USDC.svg.",
        );
      }
      reply
        .header("cache-control", "public, max-age=31536000, immutable")
        .type("image/svg+xml")
        .send(logoSvg(name));
    },
  );
}
