import { createHash } from "node:crypto";
import scalar from "@scalar/fastify-api-reference";
import fastify from "fastify";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [scalarBundle()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: { conditions: ["source", "browser", "import", "module", "default"] },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 200,
    rolldownOptions: { input: ["index.html", "docs.html"] },
  },
});

/** Scalar's package carries its browser bundle inside a Fastify plugin: ask that plugin for it, once, at build time. */
function scalarBundle(): Plugin {
  let source = "";
  const fileName = () =>
    `assets/scalar-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.js`;
  return {
    name: "scalar-bundle",
    async buildStart() {
      const app = fastify();
      await app.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
      source = (await app.inject("/docs/js/scalar.js")).body;
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: fileName(), source });
    },
    transformIndexHtml: (html) => html.replace("%SCALAR%", `/console/${fileName()}`),
  };
}
