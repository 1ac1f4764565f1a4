/** Keeps what was worked out, and forgets what was asked for longest ago when there is too much. */
export function remember<Key, Value>(
  kept: Map<Key, Value>,
  most: number,
  key: Key,
  make: () => Value,
): Value {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  return value;
}
