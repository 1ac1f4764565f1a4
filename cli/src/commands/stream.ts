import type { StreamMessage } from "@slipway/sdk";
import { tools } from "@slipway/server/commands";
import type { Command } from "commander";
import { openService, type ServiceOptions, withServiceOptions } from "../asked-service.ts";
import { readWholeNumber } from "../options.ts";
import { messageLines } from "../stream-lines.ts";
import { paintFor, type Terminal } from "../terminal.ts";

type StreamCommandOptions = ServiceOptions & {
  lastEventId?: string;
  count?: number;
  json?: boolean;
};

/** Adds the command that prints what happens while it happens. */
export function addStreamCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("stream <channel...>")
    .description("Print trades, books, candles, swaps and ramp events as they happen.")
    .option("--last-event-id <id>", "go on after this one: the last id that an earlier stream told")
    .option("--count <number>", "end after so many messages", readWholeNumber)
    .option("--json", "print messages as they came, one on each line");
  withServiceOptions(command)
    .addHelpText(
      "after",
      tools.helpEnd(
        [
          "slipway stream cex.trades:kraken:BTC-USD",
          "slipway stream dex.swaps:uniswap-v3:ethereum:0x… ramp.transactions --json | jq .",
        ],
        "Channels:\n" +
          "  cex.trades:{exchange}:{market}    cex.candles:{exchange}:{market}:{timeframe}\n" +
          "  cex.book:{exchange}:{market}      dex.swaps:{exchange}:{blockchain}:{pool}\n" +
          "  ramp.transactions                 dex.bars:{exchange}:{blockchain}:{pool}:{timeframe}\n" +
          "\nA connection that breaks is made again and goes on where it was; what cannot be had any more is told. End with\n" +
          "Ctrl-C: then the id to go on from is told on stderr.",
      ),
    )
    .action((channels: string[], options: StreamCommandOptions) =>
      stream(channels, options, terminal),
    );
}

async function stream(
  channels: string[],
  { lastEventId, count, json, ...options }: StreamCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, url } = await openService(options, terminal);
  const { out, errors, clock } = terminal;
  const paint = paintFor(out);
  const messages = client.stream(channels, {
    signal: terminal.stopped(),
    onBreak: () => void errors.write(`The connection to ${url} broke. Making another.\n`),
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
  let left = count ?? Number.POSITIVE_INFINITY;
  for await (const message of messages) {
    if (json) out.write(`${JSON.stringify(message)}\n`);
    else for (const line of messageLines(message, clock.now(), paint)) out.write(`${line}\n`);
    if (isOfMarket(message) && --left <= 0) break;
  }
  if (messages.lastEventId !== undefined) {
    errors.write(`To go on from here: --last-event-id ${messages.lastEventId}\n`);
  }
}

/** Whether something happened: what is said about the connection does not count. */
function isOfMarket({ type }: StreamMessage): boolean {
  return !["subscribed", "unsubscribed", "ping", "stale", "error"].includes(type);
}
