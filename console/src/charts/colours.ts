import { effect, signal } from "@preact/signals";
import { theme } from "../shell/theme.ts";

export type ColourName =
  | "text"
  | "quiet"
  | "line"
  | "card"
  | "accent"
  | "on-accent"
  | "up"
  | "down"
  | "up-fill"
  | "down-fill";

/** Grows when the colours change: a canvas does not notice by itself. */
export const coloursVersion = signal(0);

const systemTheme = matchMedia("(prefers-color-scheme: dark)");
systemTheme.addEventListener("change", () => coloursVersion.value++);
effect(() => {
  theme.value;
  coloursVersion.value = coloursVersion.peek() + 1;
});

/** A colour of the theme as a canvas understands it. */
export function colourOf(name: ColourName): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
