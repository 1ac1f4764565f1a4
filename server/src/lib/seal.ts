import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { assert, OperatorError } from "./errors.ts";
import type { Random } from "./random.ts";

/** Keeps texts that a copy of the database must not give away. */
export type Sealer = {
  /** Encrypts a text for one place, such as `bank_accounts|sealed|bac-1|usr-1`: it opens nowhere else. */
  seal(text: string, place: string): Buffer;
  open(sealed: Buffer, place: string): string;
  /** The same under the current master key; nothing when it is already. What was sealed is not touched. */
  rewrap(sealed: Buffer): Buffer | undefined;
  /** Finds equal texts without opening them. */
  digest(text: string): Buffer;
};

type SealerOptions = {
  /** The master keys, 32 bytes each. The first seals, all of them open. */
  keys: readonly Buffer[];
  digestKey: Buffer;
  random: Random;
};

/** What was sealed, in its parts: version, id of the master key, wrapped data key, encrypted text. */
type Parts = { head: Buffer; wrapped: Buffer; content: Buffer };

const version = 1;
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;
const headLength = 1 + 8;
const boxOverhead = nonceLength + tagLength;
const wrappedLength = keyLength + boxOverhead;

/** Makes a sealer: each text has a data key of its own, which a master key wraps. */
export function openSealer({ keys, digestKey, random }: SealerOptions): Sealer {
  const [current] = keys;
  assert(current, "there is a master key");
  assert(
    keys.every(({ length }) => length === keyLength),
    `a master key has ${keyLength} bytes`,
  );
  const currentHead = headOf(current);
  const known = keys.map((key) => ({ key, head: headOf(key) }));

  function masterKeyOf(head: Buffer): Buffer {
    const found = known.find((each) => each.head.equals(head));
    if (found) return found.key;
    throw new OperatorError(
      "A stored value was encrypted with a key that is not configured. " +
        "Add that key to SLIPWAY_ENCRYPTION_KEYS, after the current one.",
    );
  }

  const unwrap = ({ head, wrapped }: Parts) => decrypt(masterKeyOf(head), wrapped, head);
  const wrap = (dataKey: Buffer) => encrypt(current, dataKey, currentHead, random);

  return {
    seal(text, place) {
      const dataKey = random.bytes(keyLength);
      const content = encrypt(dataKey, Buffer.from(text), Buffer.from(place), random);
      return Buffer.concat([currentHead, wrap(dataKey), content]);
    },
    open(sealed, place) {
      const parts = partsOf(sealed);
      return decrypt(unwrap(parts), parts.content, Buffer.from(place)).toString();
    },
    rewrap(sealed) {
      const parts = partsOf(sealed);
      if (parts.head.equals(currentHead)) return undefined;
      return Buffer.concat([currentHead, wrap(unwrap(parts)), parts.content]);
    },
    digest: (text) => createHmac("sha256", digestKey).update(text).digest(),
  };
}

/** Version and master key. They are associated data of the wrapping, so that neither can be exchanged. */
function headOf(key: Buffer): Buffer {
  const id = createHash("sha256").update("slipway master key").update(key).digest();
  return Buffer.concat([Buffer.of(version), id.subarray(0, headLength - 1)]);
}

function partsOf(sealed: Buffer): Parts {
  assert(sealed.length >= headLength + wrappedLength + boxOverhead, "a sealed value is whole");
  assert(sealed[0] === version, `a sealed value is of version ${version}`);
  return {
    head: sealed.subarray(0, headLength),
    wrapped: sealed.subarray(headLength, headLength + wrappedLength),
    content: sealed.subarray(headLength + wrappedLength),
  };
}

function encrypt(key: Buffer, plain: Buffer, associated: Buffer, random: Random): Buffer {
  const nonce = random.bytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associated);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, box: Buffer, associated: Buffer): Buffer {
  const nonce = box.subarray(0, nonceLength);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength });
  decipher.setAAD(associated);
  decipher.setAuthTag(box.subarray(-tagLength));
  const plain = decipher.update(box.subarray(nonceLength, -tagLength));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch (cause) {
    throw new Error("A sealed value was changed, or belongs to another place.", { cause });
  }
}
