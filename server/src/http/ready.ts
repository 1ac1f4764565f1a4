import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

/** Below this, compressing costs more than it saves. */
const compressLengthLeast = 1_024;
/** Up to this, text that has one byte per character is cheaper to send in one write with its headers. */
const textLengthMost = 32_768;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** JSON that is ready to be sent: hashed and compressed at most once, however often it goes out. */
export class Ready {
  /** Text has one byte per character, and goes out as `latin1`. */
  readonly plain: string | Buffer;
  readonly isWorthCompressing: boolean;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();
  #etag: string | undefined;

  constructor(json: string) {
    const isText = json.length <= textLengthMost && Buffer.byteLength(json) === json.length;
    this.plain = isText ? json : Buffer.from(json);
    this.isWorthCompressing = this.plain.length >= compressLengthLeast;
  }

  /** Weak, because the same content may go out in several encodings. */
  get etag(): string {
    this.#etag ??= `W/"${hash("sha1", this.plain, "base64url")}"`;
    return this.#etag;
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    const bytes = this.#compressed.get(encoding) ?? compress(this.plain, encoding);
    this.#compressed.set(encoding, bytes);
    return bytes;
  }
}

const brotliAccepted = namePattern("br");
const gzipAccepted = namePattern("gzip");

/** The best encoding that a client accepts. */
export function chooseEncoding(accepted: string): Encoding | undefined {
  if (accepted === "") return undefined;
  if (brotliAccepted.test(accepted)) return "br";
  return gzipAccepted.test(accepted) ? "gzip" : undefined;
}

/** The name of an encoding, unless it is followed by a quality of zero. */
function namePattern(name: Encoding): RegExp {
  return new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`);
}

function compress(plain: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === "br"
    ? promisify(brotliCompress)(plain, brotliOptions)
    : promisify(gzip)(plain);
}
