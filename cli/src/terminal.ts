import { type Tools, tools } from "@slipway/server/commands";

/** Something to write to: a terminal, a pipe, or a test. */
export type Screen = {
  isTTY?: boolean;
  /** Whether colours are wanted; a terminal says no when NO_COLOR is set. */
  hasColors?(): boolean;
  write(text: string | Uint8Array): unknown;
};

/** What a command is handed: where to write, the time, chance, and when to stop. */
export type Terminal = {
  out: Screen;
  errors: Screen;
  clock: Tools["clock"];
  random: Tools["random"];
  /** Aborted by Ctrl-C. Who asks for it has to end by itself. */
  stopped(): AbortSignal;
};

/** The terminal that this process runs in. */
export function processTerminal(): Terminal {
  const stop = new AbortController();
  let isHeard = false;
  // Who reads our output may have seen enough, as `head` has.
  process.stdout.on("error", () => process.exit(0));
  return {
    out: process.stdout,
    errors: process.stderr,
    clock: tools.clock,
    random: tools.random,
    stopped() {
      if (isHeard) return stop.signal;
      isHeard = true;
      for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
      return stop.signal;
    },
  };
}

/** How texts are coloured. */
export type Paint = (text: string, colour: keyof typeof colours) => string;

const colours = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Colours where they can be seen and are wanted, and plain text elsewhere. */
export function paintFor(screen: Screen): Paint {
  const isColourful = screen.isTTY === true && screen.hasColors?.() !== false;
  return (text, colour) => (isColourful ? `\x1b[${colours[colour]}m${text}\x1b[0m` : text);
}
