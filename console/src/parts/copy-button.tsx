import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

const shownMs = 1_500;

/** Copies a text, and says so. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: ReactNode }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <Button look="quiet" onClick={copy} aria-live="polite">
      {isCopied ? "✓ Copied" : label}
    </Button>
  );
}
