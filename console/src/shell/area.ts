import type { ComponentType } from "react";

/** A part of the console: its pages, and those of them that the navigation names. */
export type Area = {
  name: string;
  links: readonly { name: string; path: string }[];
  /** Paths below `/console`; `:name` is a parameter. The first that fits is shown. */
  pages: readonly { path: string; page: ComponentType }[];
  /** Not in live mode. */
  isSandboxOnly?: boolean;
};
