import type { BankAccount, NewBankAccount } from "@slipway/sdk";
import { Type } from "typebox";
import { shapeOf } from "../../http/endpoint.ts";
import { readCountry } from "../banking/countries.ts";
import { mayBePhone, mayBePostalCode, phoneRule, postalCodeRule } from "../banking/holder.ts";
import { routingNumberFault } from "../banking/routing-number.ts";

/** No control characters, and none that turn the direction of writing around; something else than spaces. */
const lineForm =
  "^ *[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]" +
  "[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$";

const line = (lengthMost: number) =>
  Type.String({
    minLength: 1,
    maxLength: lengthMost,
    pattern: lineForm,
    description: `must be one line of text with 1 to ${lengthMost} characters`,
  });

/** The number of a US bank. */
export const RoutingNumberField = Type.Refine(
  Type.String({ description: "must have 9 digits" }),
  (text) => routingNumberFault(text) === undefined,
  (text) => routingNumberFault(text) ?? "",
);

/** What a bank account is registered with. */
export const NewBankAccountSchema = shapeOf<NewBankAccount>()(
  Type.Object({
    routingNumber: RoutingNumberField,
    accountNumber: Type.String({
      maxLength: 40,
      pattern: "^[ -]*(?:[0-9A-Za-z][ -]*){4,17}$",
      description: "must be 4 to 17 digits or letters",
    }),
    accountType: Type.Optional(
      Type.Union([Type.Literal("checking"), Type.Literal("savings")], {
        default: "checking",
        description: "must be checking or savings",
      }),
    ),
    billingDetails: Type.Object(
      {
        city: line(100),
        country: Type.Refine(
          line(100),
          (text) => readCountry(text) !== undefined,
          () => "is not a known country",
        ),
        line1: line(100),
        line2: Type.Optional(
          Type.Union([Type.String({ maxLength: 100, pattern: `^ *$|${lineForm}` }), Type.Null()], {
            description: "must be one line of text with at most 100 characters, or null",
          }),
        ),
        province: line(100),
        fullName: line(140),
        phone: Type.Refine(line(40), mayBePhone, () => phoneRule),
        postalCode: Type.Refine(line(20), mayBePostalCode, () => postalCodeRule),
      },
      { description: "must be an object" },
    ),
    userId: Type.Optional(Type.String()),
  }),
);

const text = Type.String();

const addressFields = {
  city: text,
  country: text,
  line1: text,
  line2: Type.Union([text, Type.Null()]),
  province: text,
};

const times = { createdAt: text, updatedAt: text };

/** A bank account as it is shown. */
export const BankAccountSchema = shapeOf<BankAccount>()(
  Type.Object({
    id: text,
    routingNumber: text,
    accountNumber: text,
    bankName: text,
    ...times,
    userId: text,
    fiatCurrency: text,
    bankAddress: Type.Object({ ...addressFields, ...times }),
    billingDetails: Type.Object({
      ...addressFields,
      fullName: text,
      phone: text,
      postalCode: text,
      ...times,
    }),
  }),
);
