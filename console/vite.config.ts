import { createHash } from "node:crypto";
import scalar from "@scalar/fastify-api-reference";
import tailwind from "@tailwindcss/vite";
import fastify from "fastify";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  base: "/console/",
  plugins: [tailwind(), scalarBundle()],
  // The pages are written for React and run on Preact, which is a tenth of its size.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: {
    conditions: ["source", "browser", "import", "module", "default"],
    alias: {
      "react/jsx-runtime": "preact/jsx-runtime",
      "react-dom": "preact/compat",
      react: "preact/compat",
    },
  },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 200,
    manifest: true,
    rolldownOptions: {
      input: ["index.html", "docs.html"],
      // "use client" is for frameworks that render on a server, which we do not.
      onLog: (level, log, report) => log.code !== "MODULE_LEVEL_DIRECTIVE" && report(level, log),
    },
  },
  // For `npx vite` beside a running service.
  server: { proxy: { "^/(v1|v2|health|sandbox|operator|logo|openapi)": "http://127.0.0.1:8080" } },
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
