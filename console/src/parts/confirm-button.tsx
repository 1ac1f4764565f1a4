import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  label: string;
  /** What is asked before it happens. */
  question: string;
  /** What happens then, in the words of the button that does it. */
  action: string;
  onConfirm(): void;
  children?: ReactNode;
};

/** Something that cannot be taken back asks first. */
export function ConfirmButton({ label, question, action, onConfirm, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button look="danger" onClick={() => dialog.current?.showModal()} aria-haspopup="dialog">
        {label}
      </Button>
      <Dialog ref={dialog} title={question}>
        {children}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Leave it</Button>
          <Button
            look="danger"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {action}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
