import type { FileExchange } from "../file-exchange.ts";
import type { RailSettings } from "../rail-settings.ts";

type SftpSettings = NonNullable<NonNullable<RailSettings["bank"]>["sftp"]>;

/** The bank's SFTP server. Each operation has a connection of its own. */
export function openSftpExchange(_settings: SftpSettings): FileExchange {
  throw new Error("not yet");
}
