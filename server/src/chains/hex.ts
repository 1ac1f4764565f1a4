/** Bytes as the wire writes them: `0x` and lower-case digits. */
export type Hex = `0x${string}`;
