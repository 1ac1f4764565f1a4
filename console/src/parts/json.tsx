/** Data as it came. */
export function Json({ of: value }: { of: unknown }) {
  return (
    <pre className="mt-1 overflow-x-auto rounded-md bg-raised p-2 font-mono text-xs" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
