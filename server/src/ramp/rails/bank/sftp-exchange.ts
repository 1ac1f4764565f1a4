import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ConnectConfig, SFTPWrapper } from "ssh2";
import { messageOf } from "../../../lib/errors.ts";
import type { FileExchange } from "../file-exchange.ts";
import type { RailSettings } from "../rail-settings.ts";
import {
  checkLength,
  checkName,
  freeName,
  isLeft,
  isWholeFile,
  oldestFirst,
} from "./exchange-files.ts";

type SftpSettings = NonNullable<NonNullable<RailSettings["bank"]>["sftp"]>;

const connectMs = 20_000;
/** After so long an operation is given up, well before somebody else may try the same file. */
const operationMs = 120_000;

/** What an SFTP server says when there is no such file. */
const noSuchFile = 2;

/** The bank's SFTP server. Each operation has a connection of its own, so that none is used when it is half dead. */
export function openSftpExchange(settings: SftpSettings): FileExchange {
  const { outbox, inbox } = settings;
  const taken = `${inbox}/taken`;
  return {
    put: (name, bytes) =>
      connected(settings, async (sftp) => {
        checkName(name);
        const path = `${outbox}/${name}`;
        if (isLeft(name, bytes, await unlessMissing(download(sftp, path)))) return;
        const draft = `${outbox}/.${name}.part`;
        await told((done) => sftp.writeFile(draft, bytes, done));
        const { size } = await fileInfo(sftp, draft);
        if (size !== bytes.length) throw new Error(`only ${size} bytes of ${name} arrived`);
        await told((done) => sftp.rename(draft, path, done));
      }),
    list: () =>
      connected(settings, async (sftp) => {
        const found = await asked<FileEntry[]>((done) => sftp.readdir(inbox, done));
        const files = found.filter(
          ({ filename, attrs }) => isWholeFile(filename) && !attrs.isDirectory(),
        );
        return oldestFirst(
          files.map(({ filename, attrs }) => ({ name: filename, changedAt: attrs.mtime })),
        );
      }),
    get: (name) =>
      connected(settings, async (sftp) => {
        checkName(name);
        const path = `${inbox}/${name}`;
        checkLength(name, (await fileInfo(sftp, path)).size);
        return download(sftp, path);
      }),
    setAside: (name) =>
      connected(settings, async (sftp) => {
        checkName(name);
        if (!(await exists(sftp, taken))) await told((done) => sftp.mkdir(taken, done));
        const free = await freeName(name, (candidate) => exists(sftp, `${taken}/${candidate}`));
        await unlessMissing(
          told((done) => sftp.rename(`${inbox}/${name}`, `${taken}/${free}`, done)),
        );
      }),
  };
}

type FileEntry = { filename: string; attrs: { mtime: number; isDirectory(): boolean } };

/** Connects, works, and hangs up, whatever happens. */
async function connected<Result>(
  settings: SftpSettings,
  work: (sftp: SFTPWrapper) => Promise<Result>,
): Promise<Result> {
  const { host, port } = settings;
  const config = await configOf(settings);
  // Loaded only by those who have such a bank.
  const { Client } = await import("ssh2");
  const client = new Client();
  const timeout = AbortSignal.timeout(operationMs);
  let isRefused = false;
  const broken = new Promise<never>((_, reject) => {
    client.on("error", (error) => reject(isRefused ? wrongHost(settings) : inWords(error)));
    client.on("close", () => reject(new Error("the connection was cut")));
    timeout.addEventListener("abort", () => reject(new Error("it takes too long")));
  });
  const done = new Promise<void>((resolve) => client.once("ready", () => resolve()))
    .then(() => asked<SFTPWrapper>((answer) => client.sftp(answer)))
    .then(work);
  try {
    client.connect({
      ...config,
      hostVerifier: (key: Buffer) => {
        isRefused = fingerprintOf(key) !== settings.hostKey.replace(/=+$/, "");
        return !isRefused;
      },
    });
    // Many small questions, each of which would wait for the answer to the one before to be confirmed.
    client.setNoDelay(true);
    return await Promise.race([done, broken]);
  } catch (error) {
    // Which of the two fails first is chance: the other one is told to nobody.
    done.catch(() => {});
    throw new Error(`the bank's SFTP server ${host}:${port}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    broken.catch(() => {});
    client.end();
    client.destroy();
  }
}

async function configOf(settings: SftpSettings): Promise<ConnectConfig> {
  const { host, port, username, password, privateKeyFile } = settings;
  return {
    ...{ host, port, username, readyTimeout: connectMs },
    ...(password === undefined ? {} : { password }),
    ...(privateKeyFile === undefined ? {} : { privateKey: await readFile(privateKeyFile) }),
  };
}

/** As `ssh-keygen -l` prints it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${hash("sha256", key, "base64").replace(/=+$/, "")}`;
}

function wrongHost({ hostKey }: SftpSettings): Error {
  return new Error(
    `its host key is not ${hostKey}, so this may be somebody else; ask the bank before changing the setting`,
  );
}

function inWords(error: Error & { level?: string }): Error {
  return error.level === "client-authentication"
    ? new Error("it does not take our user name with this password or key")
    : error;
}

function download(sftp: SFTPWrapper, path: string): Promise<Buffer> {
  return asked<Buffer>((done) => sftp.readFile(path, done));
}

function fileInfo(sftp: SFTPWrapper, path: string): Promise<{ size: number }> {
  return asked((done) => sftp.stat(path, done));
}

async function exists(sftp: SFTPWrapper, path: string): Promise<boolean> {
  return (await unlessMissing(fileInfo(sftp, path))) !== undefined;
}

function asked<Result>(
  ask: (done: (error: Error | undefined, result: Result) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    ask((error, result) => (error ? reject(error) : resolve(result)));
  });
}

function told(tell: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    tell((error) => (error ? reject(error) : resolve()));
  });
}

/** Nothing when there is no such file. */
async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === noSuchFile) return undefined;
    throw error;
  }
}
