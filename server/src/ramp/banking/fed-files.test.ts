import { describe, expect, test } from "vitest";
import { achLine, routingNumber, wireLine } from "../../../test/fed-lines.ts";
import { readDirectoryFile } from "./fed-files.ts";

const [harbour, meadow] = [routingNumber("01109991"), routingNumber("32109992")];

describe("a FedACH file", () => {
  const text = [
    achLine({ routingNumber: harbour, name: "HARBOUR BANK", zipExtension: "0042" }),
    achLine({ routingNumber: meadow, recordType: "2", newRoutingNumber: harbour, name: "MEADOW" }),
  ].join("\r\n");

  test("as text gives its banks, and the numbers that were replaced", () => {
    expect(readDirectoryFile("ach", `${text}\n`)).toEqual([
      {
        routingNumber: harbour,
        name: "HARBOUR BANK",
        street: "1 QUAY STREET",
        city: "PORTSTADT",
        state: "ME",
        postalCode: "04101-0042",
        replacedBy: null,
        isEligible: true,
      },
      expect.objectContaining({ routingNumber: meadow, replacedBy: harbour, postalCode: "04101" }),
    ]);
  });

  test("as JSON gives the same", () => {
    const record = {
      routingNumber: harbour,
      recordTypeCode: "1",
      newRoutingNumber: "000000000",
      customerName: "HARBOUR BANK",
      customerAddress: "1 QUAY STREET",
      customerCity: "PORTSTADT",
      customerState: "ME",
      customerZip: "04101",
      customerZipExt: "0042",
      institutionStatusCode: "1",
    };
    const moved = {
      ...record,
      routingNumber: meadow,
      recordTypeCode: "2",
      newRoutingNumber: harbour,
      customerName: "MEADOW",
      customerZipExt: "0000",
    };
    const json = { response: { code: 200 }, fedACHParticipants: [record, moved] };
    expect(readDirectoryFile("ach", JSON.stringify({ fedACHParticipants: json }))).toEqual(
      readDirectoryFile("ach", text),
    );
  });
});

describe("a Fedwire file", () => {
  const text = [
    wireLine({ routingNumber: harbour, name: "HARBOUR BANK" }),
    wireLine({ routingNumber: meadow, name: "MEADOW", settlementOnly: "S" }),
    wireLine({ routingNumber: routingNumber("02109993"), name: "DUNE", transfers: "N" }),
  ].join("\n");

  test("as text says who can be paid", () => {
    expect(
      readDirectoryFile("wire", text).map(({ name, isEligible }) => [name, isEligible]),
    ).toEqual([
      ["HARBOUR BANK", true],
      ["MEADOW", false],
      ["DUNE", false],
    ]);
  });

  test("as JSON says the same", () => {
    const record = {
      routingNumber: harbour,
      customerName: "HARBOUR BANK",
      customerState: "ME",
      customerCity: "PORTSTADT",
      fundsEligibility: "Y",
      fundsSettlementOnlyStatus: "",
    };
    const json = { fedwireParticipants: { fedwireParticipants: [record] } };
    expect(readDirectoryFile("wire", JSON.stringify(json))).toEqual(
      readDirectoryFile("wire", text).slice(0, 1),
    );
  });
});

test.each([
  ["nothing", "", "is empty"],
  ["an empty list", '{"fedACHParticipants": []}', "is empty"],
  ["broken JSON", '{"fedACHParticipants": [', "not valid JSON"],
  ["the other list", '{"fedwireParticipants": []}', 'no list "fedACHParticipants"'],
  ["a line of another file", wireLine({ routingNumber: harbour }), "Line 1 has 101 characters"],
  ["a wrong number", achLine({ routingNumber: "011099999" }), "Record 1 of this FedACH file"],
  [
    "a number twice",
    `${achLine({ routingNumber: harbour })}\n${achLine({ routingNumber: harbour })}`,
    "is there twice",
  ],
  ["a bank without a name", achLine({ routingNumber: harbour, name: "" }), "has no name"],
  ["a record that is none", '{"fedACHParticipants": [null]}', "must have 9 digits"],
])("%s is refused with the reason", (_, text, reason) => {
  expect(() => readDirectoryFile("ach", text)).toThrow(reason);
});
