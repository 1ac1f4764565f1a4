import type { OutgoingRules } from "../../lib/outgoing/target.ts";
import type { RampSettings } from "../settings.ts";

type RuleContext = {
  mode: "sandbox" | "live";
  settings?: Pick<RampSettings, "webhookPorts">;
};

/** Where webhooks may be sent to; the same when they are registered and when they are sent. */
export function webhookRules({ mode, settings }: RuleContext): OutgoingRules {
  return { ports: settings?.webhookPorts ?? [443], allowsLoopback: mode === "sandbox" };
}
