const marker = Symbol("sql");

/** A statement and its values, kept apart all the way to the server. */
export type Sql = {
  readonly [marker]: true;
  readonly text: string;
  readonly values: unknown[];
  /** Planned once for each connection. */
  readonly isPrepared?: true;
};

/** Writes SQL with values as parameters. An `Sql` inside another is spliced in with its values. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  let text = strings[0] ?? "";
  const values: unknown[] = [];
  for (const [index, part] of parts.entries()) {
    text += isSql(part) ? renumber(part, values) : `$${values.push(part)}`;
    text += strings[index + 1] ?? "";
  }
  return { [marker]: true, text, values };
}

/**
 * The same for what runs all the time and always has the same text: the server plans it once for each connection, not each time.
 * Only where one plan is right for all values.
 */
export function prepared(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  return { ...sql(strings, ...parts), isPrepared: true };
}

/** Names and conditions of our own as SQL, for statements that serve several tables. Never for what came from outside. */
export function verbatim(text: string): Sql {
  return { [marker]: true, text, values: [] };
}

function isSql(value: unknown): value is Sql {
  return typeof value === "object" && value !== null && marker in value;
}

function renumber(inner: Sql, values: unknown[]): string {
  const offset = values.length;
  values.push(...inner.values);
  return inner.text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
}
