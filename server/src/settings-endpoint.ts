import type { Setting } from "@slipway/sdk";
import { Type } from "typebox";
import { type Endpoint, endpoint, shapeOf } from "./http/endpoint.ts";
import type { ConfigLine } from "./settings.ts";
import { shownSetting } from "./shown-setting.ts";

const SettingSchema = shapeOf<Setting>()(
  Type.Object({
    name: Type.String(),
    value: Type.Union([Type.String(), Type.Null()]),
    isSecret: Type.Boolean(),
    origin: Type.String(),
  }),
);

/** What operators see of the configuration: the same as `slipway config print`. */
export function settingsEndpoint(lines: readonly ConfigLine[]): Endpoint {
  const settings = lines.map(shownSetting);
  return endpoint({
    method: "GET",
    path: "/operator/settings",
    family: "account",
    summary: "Every setting of this service, its value, and where the value came from",
    description: "As read when the service started. Secrets are masked.",
    scope: "operator",
    status: 200,
    response: Type.Array(SettingSchema),
    handle: () => settings,
  });
}
