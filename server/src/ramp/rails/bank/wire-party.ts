import { routingNumberFault } from "../../banking/routing-number.ts";
import { wireText } from "../iso20022/text.ts";
import type { WireParty } from "../iso20022/wire-file.ts";

/** Why no wire can go to somebody, in words; nothing when one can. What is not known of them is empty. */
export function partyFault({ name, routingNumber, accountNumber }: WireParty): string | undefined {
  if (!name || !routingNumber || !accountNumber)
    return "the bank has not said from which account the wire came";
  const isBank = routingNumberFault(routingNumber) === undefined;
  const isAccount = isBank && /^[0-9A-Za-z-]{1,34}$/.test(accountNumber);
  return isAccount && wireText(name, 140) !== ""
    ? undefined
    : "no wire can name such an account or holder";
}
