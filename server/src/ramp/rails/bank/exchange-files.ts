/** More than a bank ever sends in one file; what is longer is not read into memory. */
const bytesMost = 64 * 1024 * 1024;

/** Whether a file that lies there is one for us: not hidden, not still being written, and not somewhere else. */
export function isWholeFile(name: string): boolean {
  return !name.startsWith(".") && !name.endsWith(".part") && !/[/\\\0]/.test(name);
}

/** Refuses a name that would lead somewhere else. */
export function checkName(name: string): void {
  if (name === "" || !isWholeFile(name)) throw new Error(`${name} is no name for a file`);
}

/** Refuses a file that is too long to be a bank's. */
export function checkLength(name: string, length: number): void {
  if (length > bytesMost) {
    throw new Error(`${name} has ${length} bytes, more than the ${bytesMost} that a file may have`);
  }
}

/** Whether a file need not be left because it lies there. One with other bytes is never overwritten. */
export function isLeft(name: string, wanted: Buffer, there: Buffer | undefined): boolean {
  if (there && !there.equals(wanted)) {
    throw new Error(`another file named ${name} lies in the outbox; look what it is`);
  }
  return there !== undefined;
}

/** The first of `name`, `name.2`, `name.3`, … that is free. */
export async function freeName(
  name: string,
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
  let candidate = name;
  for (let number = 2; await isTaken(candidate); number++) candidate = `${name}.${number}`;
  return candidate;
}

/** Names of files by when they were changed, then by name. One without a time is gone. */
export function oldestFirst(
  files: readonly { name: string; changedAt: number | undefined }[],
): string[] {
  return files
    .flatMap(({ name, changedAt }) => (changedAt === undefined ? [] : [{ name, changedAt }]))
    .sort((one, other) => one.changedAt - other.changedAt || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name);
}
