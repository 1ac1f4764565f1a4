import { createHash } from "node:crypto";
import ssh2, { type Connection, type SFTPWrapper } from "ssh2";
import { afterAll, beforeAll } from "vitest";
import { assert } from "../src/lib/errors.ts";

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const regularFile = 0o100_644;
const folderMode = 0o040_755;

/** An SFTP server of the test's own, with files in memory. Folders are there when a file is, or when they were made. */
export type SftpServer = {
  port: number;
  /** As `ssh-keygen -l` prints it. */
  fingerprint: string;
  files: Map<string, { bytes: Buffer; changedAt: number }>;
  folders: Set<string>;
  /** Cuts the connection when so many bytes have been written. */
  cutAfterBytes: number | undefined;
};

/** Servers answer at once; the types of the library have forgotten how to say so. */
type Undelayed = Connection & { setNoDelay?(isOn: boolean): void };

type Handle = { path: string; isFolder: boolean; isRead: boolean };

/** A pair of keys. Now and then ssh2 makes one that it cannot read itself. */
export function newKeys(): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  const keys = ssh2.utils.generateKeyPairSync("ed25519");
  return ssh2.utils.parseKey(keys.private) instanceof Error ? newKeys() : keys;
}

/** Serves SFTP on a port of this machine to `bank` with the password `secret`, or with this key. */
export function useSftpServer(publicKey: () => string): SftpServer {
  const keys = newKeys();
  const state = { files: new Map(), folders: new Set() } as unknown as SftpServer;
  const open = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [keys.private] }, (connection: Undelayed) => {
    open.add(connection);
    connection.setNoDelay?.(true);
    connection.on("close", () => open.delete(connection));
    connection.on("error", () => {});
    connection.on("authentication", (login) => {
      const isOurs = login.username === "bank";
      if (login.method === "password" && isOurs && login.password === "secret") login.accept();
      else if (login.method === "publickey" && isOurs && isKey(login.key.data, publicKey())) {
        login.accept();
      } else login.reject(["password", "publickey"]);
    });
    connection.on("ready", () => {
      connection.on("session", (accept) => {
        accept().on("sftp", (acceptSftp) => serve(acceptSftp(), state, () => connection.end()));
      });
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(address && typeof address === "object", "the server listens on a port");
    state.port = address.port;
    state.fingerprint = fingerprintOf(keys.public);
  });
  afterAll(async () => {
    for (const connection of open) connection.end();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return state;
}

const blobOf = (publicKey: string) => Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
const isKey = (blob: Buffer, publicKey: string) => blob.equals(blobOf(publicKey));

function fingerprintOf(publicKey: string): string {
  const digest = createHash("sha256").update(blobOf(publicKey)).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}

function serve(sftp: SFTPWrapper, state: SftpServer, cut: () => void): void {
  const handles = new Map<number, Handle>();
  const say = (id: number, status: keyof typeof STATUS_CODE) =>
    sftp.status(id, STATUS_CODE[status]);
  const handleOf = (buffer: Buffer) => handles.get(buffer.readUInt32BE(0));
  let lastHandle = 0;
  let writtenBytes = 0;

  function hand(id: number, handle: Handle): void {
    const name = Buffer.alloc(4);
    name.writeUInt32BE(++lastHandle);
    handles.set(lastHandle, handle);
    sftp.handle(id, name);
  }

  sftp.on("OPEN", (id, path, flags) => {
    if (flags & OPEN_MODE.CREAT) state.files.set(path, { bytes: Buffer.alloc(0), changedAt: 0 });
    if (!state.files.has(path)) return say(id, "NO_SUCH_FILE");
    hand(id, { path, isFolder: false, isRead: false });
  });
  sftp.on("WRITE", (id, name, offset, data) => {
    const file = state.files.get(handleOf(name)?.path ?? "");
    if (!file) return say(id, "FAILURE");
    writtenBytes += data.length;
    if (state.cutAfterBytes !== undefined && writtenBytes >= state.cutAfterBytes) return cut();
    file.bytes = Buffer.concat([file.bytes.subarray(0, offset), data]);
    say(id, "OK");
  });
  sftp.on("READ", (id, name, offset, length) => {
    const bytes = state.files.get(handleOf(name)?.path ?? "")?.bytes;
    if (!bytes) return say(id, "FAILURE");
    if (offset >= bytes.length) return say(id, "EOF");
    sftp.data(id, bytes.subarray(offset, offset + length));
  });
  const tell = (id: number, path: string) => {
    const attributes = attributesOf(state, path);
    return attributes ? sftp.attrs(id, attributes) : say(id, "NO_SUCH_FILE");
  };
  sftp.on("STAT", tell);
  sftp.on("LSTAT", tell);
  sftp.on("FSTAT", (id, name) => tell(id, handleOf(name)?.path ?? ""));
  sftp.on("FSETSTAT", (id) => say(id, "OK"));
  sftp.on("SETSTAT", (id) => say(id, "OK"));
  sftp.on("CLOSE", (id) => say(id, "OK"));
  sftp.on("OPENDIR", (id, path) => hand(id, { path, isFolder: true, isRead: false }));
  sftp.on("READDIR", (id, name) => {
    const handle = handleOf(name);
    if (!handle || handle.isRead) return say(id, "EOF");
    handle.isRead = true;
    sftp.name(id, entriesOf(state, handle.path));
  });
  sftp.on("MKDIR", (id, path) => {
    state.folders.add(path);
    say(id, "OK");
  });
  sftp.on("RENAME", (id, from, to) => {
    const file = state.files.get(from);
    if (!file) return say(id, "NO_SUCH_FILE");
    if (state.files.has(to)) return say(id, "FAILURE");
    state.files.delete(from);
    state.files.set(to, file);
    say(id, "OK");
  });
}

function attributesOf({ files, folders }: SftpServer, path: string) {
  const file = files.get(path);
  if (!file && !folders.has(path)) return undefined;
  const time = file?.changedAt ?? 0;
  const common = { uid: 0, gid: 0, atime: time, mtime: time };
  return { ...common, mode: file ? regularFile : folderMode, size: file?.bytes.length ?? 0 };
}

function entriesOf(state: SftpServer, folder: string) {
  return [...state.files.keys(), ...state.folders]
    .filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes("/"))
    .flatMap((path) => {
      const filename = path.slice(folder.length + 1);
      const attrs = attributesOf(state, path);
      return attrs ? [{ filename, longname: filename, attrs }] : [];
    });
}
