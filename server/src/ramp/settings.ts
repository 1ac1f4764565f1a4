import { type Static, Type } from "typebox";
import { RailsSchema } from "./rails/rail-settings.ts";

const text = (description: string, standIn: string) =>
  Type.String({ minLength: 1, maxLength: 140, default: standIn, description });

/** How the ramp is run. */
export const RampSchema = Type.Object({
  accountNumberDisplay: Type.Union([Type.Literal("full"), Type.Literal("last4")], {
    default: "full",
    env: "ACCOUNT_NUMBER_DISPLAY",
    description:
      'must be "full" (the owning key sees its whole bank account numbers) or "last4" (nobody does)',
  }),
  transactionLimitUsd: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000_000,
      description: "must be the most US dollars that one transaction may have, as a whole number",
    }),
  ),
  webhookPorts: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
    default: [443],
    description: "must be the ports that webhooks may be sent to, such as [443, 8443]",
  }),
  rails: RailsSchema,
  /** Where customers wire their dollars to. */
  wire: Type.Object({
    beneficiaryName: text("must be whom wires are made out to", "Slipway Sandbox"),
    beneficiaryAddress: text("must be the beneficiary's address", "1 Harbour Street, New York, NY"),
    bankName: text("must be the name of the bank that takes the wires", "Sandbox Bank"),
    routingNumber: Type.String({
      pattern: "^\\d{9}$",
      default: "021000021",
      description: "must be the nine digits of that bank's routing number",
    }),
    accountNumber: Type.String({
      pattern: "^[0-9A-Za-z]{4,17}$",
      default: "000123456789",
      description: "must be our account number there, 4 to 17 digits or letters",
    }),
  }),
});

export type RampSettings = Static<typeof RampSchema>;
