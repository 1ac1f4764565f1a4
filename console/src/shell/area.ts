import type { ComponentType } from "react";

/** A part of the console: its pages, and those of them that the navigation names. */
export type Area = {
  name: string;
  links: readonly AreaLink[];
  /** Paths below `/console`; `:name` is a parameter. The first that fits is shown. */
  pages: readonly { path: string; page: ComponentType }[];
};

/** A page that the navigation names. */
export type AreaLink = {
  name: string;
  path: string;
  /** Not in live mode. */
  isSandboxOnly?: boolean;
};
