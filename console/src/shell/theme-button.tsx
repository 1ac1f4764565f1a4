import { Button } from "../parts/button.tsx";
import { type Theme, theme } from "./theme.ts";

const next: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const signs: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" };

/** Light, dark, or as the device is. */
export function ThemeButton() {
  const label = `Theme: ${theme.value}. Change to ${next[theme.value]}`;
  return (
    <Button
      look="quiet"
      aria-label={label}
      title={label}
      onClick={() => {
        theme.value = next[theme.value];
      }}
    >
      <span aria-hidden="true">{signs[theme.value]}</span>
    </Button>
  );
}
