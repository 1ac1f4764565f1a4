import { CallerError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { WebhookRow } from "../store/webhooks.ts";

/** The id of a webhook in a path. What has not the form of one is not looked for, nor repeated. */
export function checkedId(text: string): string {
  if (isId("whk", text)) return text;
  throw new CallerError("not_found", "There is no such webhook: ids look like whk-123.");
}

/** The webhook that was found. */
export function existing(webhook: WebhookRow | undefined, id: string): WebhookRow {
  if (webhook) return webhook;
  throw new CallerError("not_found", `Webhook ${id} was not found.`);
}
