import { useSearchParams } from "wouter";

/** Something that was chosen, kept in the address so that it can be shared. What is not among the options is the first of them. */
export function useUrlChoice<Value extends string>(
  name: string,
  options: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const [params, setParams] = useSearchParams();
  const chosen = options.find((option) => option === params.get(name)) ?? options[0];
  const choose = (value: Value) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === options[0]) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [chosen, choose];
}
