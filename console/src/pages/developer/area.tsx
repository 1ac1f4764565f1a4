import { lazy } from "react";
import type { Area } from "../../shell/area.ts";

const KeysPage = lazy(() =>
  import("./keys-page.tsx").then((module) => ({ default: module.KeysPage })),
);
const RequestsPage = lazy(() =>
  import("./requests-page.tsx").then((module) => ({ default: module.RequestsPage })),
);
const WebhooksPage = lazy(() =>
  import("./webhooks-page.tsx").then((module) => ({ default: module.WebhooksPage })),
);
const WebhookPage = lazy(() =>
  import("./webhook-page.tsx").then((module) => ({ default: module.WebhookPage })),
);
const SandboxPage = lazy(() =>
  import("./sandbox-page.tsx").then((module) => ({ default: module.SandboxPage })),
);
const SettingsPage = lazy(() =>
  import("./settings-page.tsx").then((module) => ({ default: module.SettingsPage })),
);

/** For those who build on the API: keys, requests, webhooks, the sandbox's controls, settings. */
export const developerArea: Area = {
  name: "Develop",
  links: [
    { name: "API keys", path: "/developer/keys" },
    { name: "Requests", path: "/developer/requests" },
    { name: "Webhooks", path: "/developer/webhooks" },
    { name: "Sandbox", path: "/developer/sandbox", isSandboxOnly: true },
    { name: "Settings", path: "/settings" },
  ],
  pages: [
    { path: "/developer/keys", page: KeysPage },
    { path: "/developer/requests", page: RequestsPage },
    { path: "/developer/webhooks", page: WebhooksPage },
    { path: "/developer/webhooks/:webhook", page: WebhookPage },
    { path: "/developer/sandbox", page: SandboxPage },
    { path: "/settings", page: SettingsPage },
  ],
};
