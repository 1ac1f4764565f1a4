import { isObject } from "../../lib/is-object.ts";
import { askJson } from "../../lib/outgoing/ask-json.ts";
import type { WantedInquiry } from "../store/inquiries.ts";

/** How Persona is reached, and what it is asked to do. */
export type PersonaSettings = { url: string; key: string; template: string; webhookSecret: string };

/** Persona has answered, and not with what was asked for. */
export class PersonaRefusal extends Error {}

type PersonaAccess = {
  settings: Pick<PersonaSettings, "url" | "key" | "template">;
  fetch?: typeof fetch | undefined;
  signal?: AbortSignal | undefined;
};

/** Requests and answers have the form of this version, whatever the newest is. */
const apiVersion = "2023-01-05";
const timeoutMs = 15_000;
const answerBytesMost = 1_048_576;
const referenceForm = /^inq_[A-Za-z0-9]{1,100}$/;

/** Asks for an inquiry about an account, and returns what Persona calls it. The same attempt makes no second one. */
export async function createInquiry(
  access: PersonaAccess,
  { userId, attempts, name, email }: WantedInquiry,
): Promise<string> {
  const attributes = {
    "inquiry-template-id": access.settings.template,
    "reference-id": userId,
    fields: { ...nameFields(name), "email-address": email },
  };
  const headers = { "idempotency-key": `${userId}-${attempts}` };
  const { data } = await post(access, "/inquiries", headers, { data: { attributes } });
  const id = isObject(data) ? data.id : undefined;
  if (typeof id === "string" && referenceForm.test(id)) return id;
  throw new PersonaRefusal("its answer names no inquiry");
}

/** Asks for a link with which the owner of an account opens an inquiry, once. */
export async function createLink(access: PersonaAccess, reference: string): Promise<string> {
  const { meta } = await post(access, `/inquiries/${reference}/generate-one-time-link`, {}, {});
  const link = isObject(meta) ? meta["one-time-link"] : undefined;
  if (typeof link === "string" && /^https?:\/\//.test(link) && URL.canParse(link)) return link;
  throw new PersonaRefusal("its answer has no link");
}

async function post(
  { settings, fetch, signal }: PersonaAccess,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Record<string, unknown>> {
  const { status, json } = await askJson({
    url: `${settings.url.replace(/\/+$/, "")}${path}`,
    method: "POST",
    headers: {
      authorization: `Bearer ${settings.key}`,
      "persona-version": apiVersion,
      "content-type": "application/json",
      ...headers,
    },
    body,
    ...{ timeoutMs, answerBytesMost, fetch, signal },
  });
  if (status >= 200 && status < 300 && isObject(json)) return json;
  throw new PersonaRefusal(`it answers ${status}`);
}

/** Persona keeps the last name apart; we have a name as a whole. */
function nameFields(name: string): Record<string, string> {
  const words = name.split(/\s+/).filter(Boolean);
  const last = words.length > 1 ? words.pop() : undefined;
  return { "name-first": words.join(" "), ...(last !== undefined && { "name-last": last }) };
}
