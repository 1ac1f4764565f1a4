import { messageOf } from "../session/message-of.ts";

/** Why something that was tried did not work; nothing when nothing went wrong. */
export function Fault({ of: error }: { of: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="rounded-md border border-bad p-2 whitespace-pre-line text-bad">
      ✗ {messageOf(error)}
    </p>
  );
}
