import { type FormEvent, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./fields.tsx";

type Props = {
  label: string;
  question: string;
  /** What the note is called: every decision says why. */
  noteLabel?: string;
  look?: "plain" | "main" | "danger";
  onConfirm(note: string): void;
};

/** A decision that has to be explained: the note goes into the audit log. */
export function NoteButton(props: Props) {
  const { label, question, noteLabel = "Why", look = "plain", onConfirm } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [note, setNote] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    dialog.current?.close();
    onConfirm(note.trim());
    setNote("");
  }
  return (
    <>
      <Button look={look} onClick={() => dialog.current?.showModal()} aria-haspopup="dialog">
        {label}
      </Button>
      <Dialog ref={dialog} title={question}>
        <form onSubmit={submit} className="grid gap-3">
          <Field
            label={noteLabel}
            hint="It is written into the audit log."
            required
            maxLength={500}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <div className="flex justify-end gap-2">
            <Button onClick={() => dialog.current?.close()}>Leave it</Button>
            <Button look={look === "plain" ? "main" : look} type="submit" disabled={!note.trim()}>
              {label}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
