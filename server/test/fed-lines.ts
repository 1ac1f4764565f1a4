/** A routing number that nobody has, from eight digits: the ninth makes it a good one. */
export function routingNumber(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

type AchFields = {
  routingNumber: string;
  recordType?: string;
  newRoutingNumber?: string;
  name?: string;
  zipExtension?: string;
};

/** A line of a FedACH file about a bank that does not exist. */
export function achLine(fields: AchFields): string {
  const { recordType = "1", newRoutingNumber = "000000000", zipExtension = "0000" } = fields;
  const name = fields.name ?? "NO BANK";
  return [
    `${fields.routingNumber}O011000015${recordType}111426${newRoutingNumber}`,
    name.padEnd(36),
    "1 QUAY STREET".padEnd(36),
    "PORTSTADT".padEnd(20),
    `ME04101${zipExtension}207555010011     `,
  ].join("");
}

type WireFields = {
  routingNumber: string;
  name?: string;
  transfers?: string;
  settlementOnly?: string;
};

/** A line of a Fedwire file about a bank that does not exist. */
export function wireLine(fields: WireFields): string {
  const { name = "NO BANK", transfers = "Y", settlementOnly = " " } = fields;
  return [
    fields.routingNumber,
    name.padEnd(18),
    name.padEnd(36),
    "ME",
    "PORTSTADT".padEnd(25),
    `${transfers}${settlementOnly}N20261114`,
  ].join("");
}
