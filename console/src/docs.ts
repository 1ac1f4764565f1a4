import { Slipway } from "@slipway/sdk";

// Scalar's validator asks whether it may compile code at run time. Our content policy says no; so do we, in advance.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

type ScalarGlobal = { createApiReference(selector: string, configuration: object): void };
declare const Scalar: ScalarGlobal;

const reference = document.getElementById("reference");
await loadScript(reference?.dataset.scalar ?? "");
const { mode } = await new Slipway({ baseUrl: location.origin }).health();
const sandboxKey = { securitySchemes: { header: { value: "slp_sandbox_master" } } };

/** Everything that would ask another host for something is switched off. */
Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  defaultOpenAllTags: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  proxyUrl: "",
  authentication: { preferredSecurityScheme: "header", ...(mode === "sandbox" ? sandboxKey : {}) },
});

function loadScript(src: string): Promise<unknown> {
  const script = document.createElement("script");
  script.src = src;
  const loaded = new Promise((resolve) => script.addEventListener("load", resolve));
  document.head.append(script);
  return loaded;
}
