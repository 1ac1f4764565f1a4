import { useId, useRef } from "react";
import { curlOf } from "../lib/curl.ts";
import type { Requests } from "../session/page-requests.ts";
import { mode } from "../session/session.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

/** Shows the requests behind a page, ready to be pasted. */
export function CurlButton({ requests }: { requests: Requests }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const note = useId();
  const lines = requests.sent.value.map((request) => curlOf(request, location.origin, mode.value));
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()} aria-haspopup="dialog">
        <span aria-hidden="true" className="font-mono">
          &gt;_
        </span>
        curl
      </Button>
      <Dialog ref={dialog} title="The requests behind this page">
        <p id={note} className="mb-3 text-quiet">
          {mode.value === "sandbox"
            ? "They work as they are: the sandbox's keys are the same everywhere."
            : "Put your key into the variable SLIPWAY_API_KEY first."}
        </p>
        <ul className="grid gap-2">
          {lines.map((line) => (
            <li key={line} className="flex items-start gap-2 rounded-md bg-raised p-2">
              <code className="min-w-0 flex-1 break-all font-mono text-xs">{line}</code>
              <CopyButton text={line} />
            </li>
          ))}
        </ul>
        {lines.length === 0 && <p>Nothing has been asked for yet.</p>}
      </Dialog>
    </>
  );
}
