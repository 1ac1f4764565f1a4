/**
 * The extended public key of which the deposit addresses of the sandbox's Ethereum are children. It is written down so
 * that nobody has to compute it to know an address; `localKeys` has the private one.
 */
export const localDepositKey =
  "xpub661MyMwAqRbcGKKwbpqFpzVyCTDHBxn1LdAG9mwZMBrdrF5VxBCfFqQi2moHVATU1fkUsyTJpuGHBbcWBD3hYiPLdHUqmMrJesLDmqxo6wu";
