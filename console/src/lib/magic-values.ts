type Magic = { value: string; meaning: string };

/** What makes the sandbox do something unusual, by where it stands. */
export const magicValues: Record<"wire" | "bank" | "wallet" | "person", readonly Magic[]> = {
  wire: [
    { value: "0.01 USD", meaning: "it comes with a tenth too little" },
    { value: "0.03 USD", meaning: "it comes with a tenth too much" },
    { value: "0.05 USD", meaning: "it comes without its reference" },
    { value: "0.07 USD", meaning: "it comes from somebody else" },
    { value: "0.09 USD", meaning: "the bank tells of it twice" },
    { value: "0.11 USD", meaning: "the bank does not tell from which account it came" },
  ],
  bank: [
    {
      value: "…0002, …0003, …0004, …0016, …0020, …0023",
      meaning: "ACH comes back with R02, R03, R04, R16, R20, R23",
    },
    { value: "…0923", meaning: "ACH comes back with R23 after the return window" },
    { value: "…0099", meaning: "the bank refuses a wire at once" },
    { value: "…0098", meaning: "a wire is rejected on its way" },
    { value: "…0097", meaning: "a wire arrives and comes back" },
    { value: "…0105", meaning: "ACH is paid, and the account corrected" },
  ],
  wallet: [
    { value: "…beef", meaning: "transfers to it fail" },
    { value: "…dead", meaning: "it is sanctioned" },
    { value: "…fade", meaning: "the sanctions check does not answer" },
  ],
  person: [
    { value: "a name with the word sanctioned", meaning: "is on a list of sanctions" },
    { value: "a name with the word unanswered", meaning: "the sanctions check does not answer" },
    { value: "…+approve@, …+reject@, …+review@", meaning: "decides a verification" },
  ],
};
