import { useParams } from "wouter";

/** A parameter of the page's path. */
export function useParam(name: string): string {
  const value = useParams()[name];
  if (value === undefined) throw new Error(`the page's path has no parameter ${name}`);
  return decodeURIComponent(value);
}
