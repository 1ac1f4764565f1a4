/** What the end of a batch and of a file says about what stands before it. */
export type ControlSums = { count: bigint; hash: bigint; cents: bigint };

/** What entries add up to: the records, the banks' numbers and the money. */
export function sumsOf(
  entries: readonly {
    values: { receivingBank: string; amount: bigint };
    addenda: readonly unknown[];
  }[],
): ControlSums {
  return addSums(
    entries.map(({ values, addenda }) => ({
      count: BigInt(1 + addenda.length),
      hash: BigInt(values.receivingBank),
      cents: values.amount,
    })),
  );
}

/** What batches add up to. A hash keeps its last ten digits. */
export function addSums(all: readonly ControlSums[]): ControlSums {
  const add = (pick: (sums: ControlSums) => bigint) =>
    all.reduce((total, sums) => total + pick(sums), 0n);
  return {
    count: add(({ count }) => count),
    hash: add(({ hash }) => hash) % 10n ** 10n,
    cents: add(({ cents }) => cents),
  };
}
