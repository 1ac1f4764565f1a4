import { expect, test } from "vitest";
import { checkAddress } from "../../ramp/addresses/check-address.ts";
import { blockchains } from "../../ramp/blockchains.ts";
import { sandboxDepositAddresses } from "./deposit-addresses.ts";

const indexes = Array.from({ length: 100 }, (_, index) => index + 1);

test.each(blockchains)("deposit addresses on %s are valid, lasting and never the same", (chain) => {
  const addresses = indexes.map((index) => sandboxDepositAddresses.at(chain, index));
  for (const address of addresses) expect(checkAddress(chain, address)).toMatchObject({ address });
  expect(new Set(addresses).size).toBe(indexes.length);
  expect(indexes.map((index) => sandboxDepositAddresses.at(chain, index))).toEqual(addresses);
});
