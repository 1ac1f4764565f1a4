import countries from "i18n-iso-countries/index.js";
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };

export type Country = {
  /** ISO 3166: `US`. */
  code: string;
  /** As the API shows it: `UNITED_STATES`. */
  word: string;
};

/** Where the list begins with a name that is longer than the one in use. */
const usualNames: Readonly<Record<string, string>> = {
  US: "United States",
  CN: "China",
  FM: "Micronesia",
  GM: "Gambia",
  IR: "Iran",
  MD: "Moldova",
  MK: "North Macedonia",
  PS: "Palestine",
  RU: "Russia",
  SY: "Syria",
  TW: "Taiwan",
  TZ: "Tanzania",
  VA: "Vatican City",
};

const byWord = wordsOfCountries();

/** The country somebody means: by its code of two or three letters, an English name, or its word, in any case. */
export function readCountry(text: string): Country | undefined {
  return byWord.get(wordOf(text));
}

function wordsOfCountries(): Map<string, Country> {
  const found = new Map<string, Country>();
  const ambiguous = new Set<string>();
  const add = (word: string, country: Country) => {
    const other = found.get(word);
    if (other && other !== country) ambiguous.add(word);
    found.set(word, country);
  };
  for (const [code, names] of Object.entries(english.countries)) {
    const all = [usualNames[code] ?? [], names].flat();
    const country = { code, word: wordOf(all[0] ?? code) };
    const codes = [code, countries.alpha2ToAlpha3(code) ?? code];
    for (const name of [...codes, ...all]) add(wordOf(name), country);
  }
  // Two states are called Congo for short.
  for (const word of ambiguous) found.delete(word);
  return found;
}

/** A name without accents, in capitals, with an underscore wherever letters do not follow each other. */
function wordOf(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/[^A-Z]+/g, "_")
    .replace(/^_|_$/g, "")
    .replace(/^THE_/, "");
}
