import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const slot = "slipway.theme";

/** The theme somebody chose; `system` follows the device. */
export const theme = signal<Theme>(readTheme());

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(slot, theme.value);
});

function readTheme(): Theme {
  const stored = localStorage.getItem(slot);
  return stored === "light" || stored === "dark" ? stored : "system";
}
