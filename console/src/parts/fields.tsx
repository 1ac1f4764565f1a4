import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";

type Common = { label: string; hint?: ReactNode; fault?: string | undefined };

const box =
  "w-full min-h-9 rounded-md border border-line bg-ground px-2.5 py-1 text-text aria-invalid:border-bad";

/** Something to fill in, with its name above, and what is wrong with it below. */
export function Field({
  label,
  hint,
  fault,
  ...rest
}: Common & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <input {...rest} {...described(id, fault)} className={box} />
    </Labelled>
  );
}

/** Something to choose. */
export function Choice({
  label,
  hint,
  fault,
  children,
  ...rest
}: Common & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <select {...rest} {...described(id, fault)} className={box}>
        {children}
      </select>
    </Labelled>
  );
}

function described(id: string, fault: string | undefined) {
  return { id, "aria-describedby": `${id}-note`, "aria-invalid": fault !== undefined };
}

function Labelled({
  id,
  label,
  hint,
  fault,
  children,
}: Common & { id: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      <div id={`${id}-note`} className="text-xs">
        {fault ? (
          <span className="text-bad">✗ {fault}</span>
        ) : (
          <span className="text-quiet">{hint}</span>
        )}
      </div>
    </div>
  );
}
