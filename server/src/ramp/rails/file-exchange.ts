/** Where files for the bank are left, and where its own are found: a folder, an SFTP server, or the sandbox's bank. */
export type FileExchange = {
  /** Leaves a file, whole or not at all. One that is there with the same bytes stays; with others it is an error. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Names of the files that the bank left for us and that were not set aside, oldest first. */
  list(): Promise<string[]>;
  get(name: string): Promise<Buffer>;
  /** Sets a file of the bank aside after it was taken in; again is nothing new. */
  setAside(name: string): Promise<void>;
};

/** A file that is not what it should be: where, and what is wrong there. */
export class BadFile extends Error {
  constructor(where: string, why: string) {
    super(`${where}: ${why}`);
    this.name = "BadFile";
  }
}
