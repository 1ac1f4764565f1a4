import { type ReactNode, useId } from "react";

type Props = {
  legend: string;
  options: readonly { id: string; title: ReactNode; detail?: ReactNode }[];
  value: string;
  onChange(id: string): void;
};

/** One of several, below each other, each with a word about it. */
export function RadioList({ legend, options, value, onChange }: Props) {
  const name = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{legend}</legend>
      {options.map(({ id, title, detail }) => (
        <label
          key={id}
          className="flex cursor-pointer items-start gap-3 rounded-md border border-line bg-ground p-2.5 has-checked:border-accent has-checked:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="mt-1 outline-none accent-accent"
            checked={id === value}
            onChange={() => onChange(id)}
          />
          <span className="min-w-0 flex-1">
            <span className="block break-words font-medium">{title}</span>
            {detail && <span className="block break-words text-quiet">{detail}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
