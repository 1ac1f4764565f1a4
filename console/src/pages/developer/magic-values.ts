/** What makes the sandbox do something unusual. */
export const magicValues: readonly { value: string; meaning: string }[] = [
  { value: "a wire of 0.01 USD", meaning: "it comes with a tenth too little" },
  { value: "a wire of 0.03 USD", meaning: "it comes with a tenth too much" },
  { value: "a wire of 0.05 USD", meaning: "it comes without its reference" },
  { value: "a wire of 0.07 USD", meaning: "it comes from somebody else" },
  { value: "a wire of 0.09 USD", meaning: "the bank tells of it twice" },
  { value: "a wire of 0.11 USD", meaning: "the bank does not tell from which account it came" },
  {
    value: "account number …0002, …0003, …0004, …0016, …0020, …0023",
    meaning: "ACH payments come back with R02, R03, R04, R16, R20, R23",
  },
  { value: "account number …0923", meaning: "R23, after the return window" },
  { value: "account number …0099", meaning: "the bank refuses a wire at once" },
  { value: "account number …0098", meaning: "a wire is rejected on its way" },
  { value: "account number …0097", meaning: "a wire arrives and comes back" },
  { value: "account number …0105", meaning: "ACH is paid, and the account corrected (C05)" },
  { value: "wallet …beef", meaning: "transfers to it fail" },
  { value: "wallet or sender …dead", meaning: "is sanctioned" },
  { value: "wallet or sender …fade", meaning: "screening does not answer" },
  { value: "a name with the word sanctioned", meaning: "is on a list of sanctions" },
  { value: "e-mail …+approve@, …+reject@, …+review@", meaning: "decides a verification" },
];
