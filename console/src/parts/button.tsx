import type { ButtonHTMLAttributes, ReactNode } from "react";

type Look = "plain" | "main" | "danger" | "quiet";

const looks: Record<Look, string> = {
  plain: "border border-line bg-card hover:bg-raised text-text",
  main: "border border-transparent bg-accent text-on-accent hover:opacity-90",
  danger: "border border-bad text-bad bg-card hover:bg-raised",
  quiet: "border border-transparent text-quiet hover:text-text hover:bg-raised",
};

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look; children: ReactNode };

/** A button. It submits a form only when told to. */
export function Button({ look = "plain", className = "", type = "button", ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={`inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md px-3 py-1 font-medium disabled:opacity-50 ${looks[look]} ${className}`}
    />
  );
}
