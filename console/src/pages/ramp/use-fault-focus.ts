import { type RefObject, useEffect, useRef } from "react";

/** For a form: when something in it was refused, whoever filled it in is led to the first field that is wrong. */
export function useFaultFocus(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return form;
}
