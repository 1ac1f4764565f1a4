import { forwardRef, type ReactNode, useId } from "react";
import { Button } from "./button.tsx";

type Props = { title: string; children: ReactNode; onClose?: () => void };

/** The browser's own dialog: it keeps the focus inside, closes with Escape and gives the focus back. */
export const Dialog = forwardRef<HTMLDialogElement, Props>(function Dialog(
  { title, children, onClose },
  ref,
) {
  const heading = useId();
  return (
    <dialog
      ref={ref}
      aria-labelledby={heading}
      onClose={onClose}
      className="w-[min(44rem,calc(100vw-1.5rem))] rounded-lg border border-line bg-card p-4 shadow-xl"
    >
      <form method="dialog" className="mb-3 flex items-center justify-between gap-4">
        <h2 id={heading} className="font-semibold">
          {title}
        </h2>
        <Button type="submit" look="quiet" aria-label="Close">
          ✕
        </Button>
      </form>
      {children}
    </dialog>
  );
});
