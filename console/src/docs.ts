type ScalarGlobal = { createApiReference(selector: string, configuration: object): void };
declare const Scalar: ScalarGlobal;

/** Everything that would ask another host for something is switched off. */
Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  proxyUrl: "",
  authentication: {
    preferredSecurityScheme: "header",
    securitySchemes: { header: { value: "slp_sandbox_master" } },
  },
});
