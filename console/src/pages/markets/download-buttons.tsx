import { useContext, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { messageOf } from "../../session/message-of.ts";
import { PageRequests } from "../../session/page-requests.ts";
import { keys } from "../../session/session.ts";

const formats = [
  { format: "csv", name: "CSV" },
  { format: "parquet", name: "Parquet" },
] as const;

type Props = {
  /** What is downloaded, for those who do not see where the buttons stand. */
  label: string;
  /** The list's path, with its query. */
  path: string;
  /** The file's name, without its ending. */
  fileName: string;
};

/** Downloads a list as a file. A link could not send the key along. */
export function DownloadButtons({ label, path, fileName }: Props) {
  const requests = useContext(PageRequests);
  const [fault, setFault] = useState<string>();
  async function download(format: string): Promise<void> {
    const asked = `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
    requests.note({ method: "GET", path: asked, body: undefined, role: "account" });
    try {
      save(await read(asked), `${fileName}.${format}`);
      setFault(undefined);
    } catch (error) {
      setFault(messageOf(error));
    }
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="text-xs text-quiet">
        {label}
      </span>
      {formats.map(({ format, name }) => (
        <Button
          key={format}
          look="quiet"
          className="px-1.5!"
          aria-label={`${label} as ${name}`}
          title={`${label} as ${name}`}
          onClick={() => void download(format)}
        >
          <span aria-hidden="true">↓</span> {name}
        </Button>
      ))}
      {fault && (
        <span role="alert" className="text-bad">
          ✗ {fault}
        </span>
      )}
    </span>
  );
}

async function read(path: string): Promise<Blob> {
  const answer = await fetch(path, { headers: { apiKey: keys.peek().account ?? "" } });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.blob();
}

function save(content: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
