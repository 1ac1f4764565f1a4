import type { Hex } from "../../../chains/hex.ts";
import type { Random } from "../../../lib/random.ts";

/** The private key in a keystore of version 3. */
export async function openKeystore(_json: string, _password: string): Promise<Hex> {
  throw new Error("not there yet");
}

/** Locks a private key into a keystore of version 3. */
export async function writeKeystore(
  _privateKey: Hex,
  _password: string,
  _random: Random,
): Promise<string> {
  throw new Error("not there yet");
}
