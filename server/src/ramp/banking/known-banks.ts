import type { DirectoryKind, Participant } from "../store/routing-directory.ts";

type KnownBank = [routingNumber: string, name: string, street: string, city: string, state: string];

/** Routing numbers that these banks publish themselves, for wires and ACH alike. */
const forBoth: readonly KnownBank[] = [
  ["021000021", "JPMORGAN CHASE BANK, NA", "270 PARK AVENUE", "NEW YORK", "NY"],
  ["026009593", "BANK OF AMERICA, N.A.", "100 NORTH TRYON STREET", "CHARLOTTE", "NC"],
  ["121000248", "WELLS FARGO BANK, NA", "420 MONTGOMERY STREET", "SAN FRANCISCO", "CA"],
  ["021000089", "CITIBANK NA", "388 GREENWICH STREET", "NEW YORK", "NY"],
  ["091000022", "US BANK, NA", "800 NICOLLET MALL", "MINNEAPOLIS", "MN"],
  ["043000096", "PNC BANK, NA", "300 FIFTH AVENUE", "PITTSBURGH", "PA"],
  ["053101121", "TRUIST BANK", "214 NORTH TRYON STREET", "CHARLOTTE", "NC"],
  ["061000104", "TRUIST BANK", "303 PEACHTREE STREET NE", "ATLANTA", "GA"],
  ["031101266", "TD BANK, NA", "2035 LIMESTONE ROAD", "WILMINGTON", "DE"],
  ["031176110", "CAPITAL ONE, NA", "1680 CAPITAL ONE DRIVE", "MCLEAN", "VA"],
  ["065000090", "CAPITAL ONE, NA", "1680 CAPITAL ONE DRIVE", "MCLEAN", "VA"],
  ["021001088", "HSBC BANK USA, NA", "66 HUDSON BOULEVARD", "NEW YORK", "NY"],
  ["021000018", "BANK OF NEW YORK MELLON", "240 GREENWICH STREET", "NEW YORK", "NY"],
  ["011000028", "STATE STREET BANK AND TRUST COMPANY", "1 CONGRESS STREET", "BOSTON", "MA"],
  ["121202211", "CHARLES SCHWAB BANK, SSB", "3000 SCHWAB WAY", "WESTLAKE", "TX"],
  ["124003116", "ALLY BANK", "200 WEST CIVIC CENTER DRIVE", "SANDY", "UT"],
  ["011500120", "CITIZENS BANK, NA", "1 CITIZENS PLAZA", "PROVIDENCE", "RI"],
  ["042000314", "FIFTH THIRD BANK, NA", "38 FOUNTAIN SQUARE PLAZA", "CINCINNATI", "OH"],
  ["041001039", "KEYBANK NA", "127 PUBLIC SQUARE", "CLEVELAND", "OH"],
  ["062005690", "REGIONS BANK", "1900 FIFTH AVENUE NORTH", "BIRMINGHAM", "AL"],
  ["044000024", "HUNTINGTON NATIONAL BANK", "41 SOUTH HIGH STREET", "COLUMBUS", "OH"],
  ["022000046", "M&T BANK", "1 M&T PLAZA", "BUFFALO", "NY"],
  ["071000288", "BMO BANK, NA", "320 SOUTH CANAL STREET", "CHICAGO", "IL"],
  ["053100300", "FIRST-CITIZENS BANK & TRUST COMPANY", "239 FAYETTEVILLE STREET", "RALEIGH", "NC"],
  ["072000096", "COMERICA BANK", "1717 MAIN STREET", "DALLAS", "TX"],
  ["124000054", "ZIONS BANK", "1 SOUTH MAIN STREET", "SALT LAKE CITY", "UT"],
  ["071000152", "NORTHERN TRUST COMPANY", "50 SOUTH LA SALLE STREET", "CHICAGO", "IL"],
  ["256074974", "NAVY FEDERAL CREDIT UNION", "820 FOLLIN LANE", "VIENNA", "VA"],
  ["314074269", "USAA FEDERAL SAVINGS BANK", "9800 FREDERICKSBURG ROAD", "SAN ANTONIO", "TX"],
  ["114000093", "FROST BANK", "111 WEST HOUSTON STREET", "SAN ANTONIO", "TX"],
  ["122016066", "CITY NATIONAL BANK", "555 SOUTH FLOWER STREET", "LOS ANGELES", "CA"],
];

/** Numbers for ACH of banks that take wires under another. */
const forAchOnly: readonly KnownBank[] = [
  ["021000322", "BANK OF AMERICA, N.A.", "100 NORTH TRYON STREET", "CHARLOTTE", "NC"],
  ["121042882", "WELLS FARGO BANK, NA", "420 MONTGOMERY STREET", "SAN FRANCISCO", "CA"],
  ["322271627", "JPMORGAN CHASE BANK, NA", "270 PARK AVENUE", "NEW YORK", "NY"],
];

const known = new Map(
  [...forBoth, ...forAchOnly].map((bank) => [
    bank[0],
    { bank, takesWires: forBoth.includes(bank) },
  ]),
);

/** One of the banks that are known without a directory. */
export function findKnownBank(kind: DirectoryKind, number: string): Participant | undefined {
  const found = known.get(number);
  if (!found) return undefined;
  const [routingNumber, name, street, city, state] = found.bank;
  return {
    routingNumber,
    name,
    street,
    city,
    state,
    postalCode: "",
    replacedBy: null,
    isEligible: kind === "ach" || found.takesWires,
  };
}
