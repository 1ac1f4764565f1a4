import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  names: readonly string[];
  current: number;
  /** Goes back to a step that was done; left out, nobody can any more. */
  onBack?: ((step: number) => void) | undefined;
};

/** Where one is, and what comes next. What was done can be gone back to. */
export function Steps({ names, current, onBack }: Props) {
  return (
    <ol className="mb-4 flex flex-wrap gap-x-2 gap-y-1 print:hidden" aria-label="Steps">
      {names.map((name, index) => (
        <li
          key={name}
          className="flex items-center gap-2"
          {...(index === current ? { "aria-current": "step" as const } : {})}
        >
          {index > 0 && (
            <span aria-hidden="true" className="text-quiet">
              ›
            </span>
          )}
          {index < current && onBack ? (
            <button
              type="button"
              className="rounded-md py-1 text-accent hover:underline"
              onClick={() => onBack(index)}
            >
              ✓ {name}
            </button>
          ) : (
            <span className={`py-1 ${index === current ? "font-semibold" : "text-quiet"}`}>
              {index < current ? "✓" : `${index + 1}.`} {name}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** A step's heading. It is focused when the step comes, so that it is heard and Tab goes on from there. */
export function StepHeading({ isFocused, children }: { isFocused: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the step comes
  useEffect(() => {
    if (isFocused) heading.current?.focus();
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1} className="mb-3 font-semibold outline-none">
      {children}
    </h2>
  );
}
