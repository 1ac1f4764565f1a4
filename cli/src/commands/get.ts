import { tools } from "@slipway/server/commands";
import type { Command } from "commander";
import { errorIn, openService, type ServiceOptions, withServiceOptions } from "../asked-service.ts";
import { UsageError } from "../errors.ts";
import { prettyJson } from "../json-text.ts";
import { collect } from "../options.ts";
import { writeWhole } from "../part-file.ts";
import { requestPath, withQuery } from "../request-path.ts";
import { paintFor, type Terminal } from "../terminal.ts";

type GetOptions = ServiceOptions & {
  query?: string[];
  format?: string;
  output?: string;
  json?: boolean;
};

const formats = ["json", "csv", "parquet"];

/** Adds the command that asks the API for anything. */
export function addGetCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("get <path...>")
    .description("Ask the API for anything that it answers, and print the answer.")
    .option("-q, --query <name=value>", "a query parameter; may be given again", collect)
    .option("--format <format>", "json, csv or parquet; only lists have the last two", readFormat)
    .option("-o, --output <file>", "write the answer into a file")
    .option("--json", "print the answer as it came, on a terminal too");
  withServiceOptions(command)
    .addHelpText(
      "after",
      tools.helpEnd(
        [
          "slipway get cex/kraken/BTC-USD/currentprice",
          "slipway get cex kraken BTC-USD trades -q limit=5 --format csv",
          "slipway get '/v2/dex/uniswap-v3/ethereum/pools?limit=3' | jq .",
        ],
        "/v2 may be left out. An answer that is no success is told on stderr, and the command ends with 1.",
      ),
    )
    .action((words: string[], options: GetOptions) => get(words, options, terminal));
}

async function get(words: string[], options: GetOptions, terminal: Terminal): Promise<void> {
  const { format, output } = options;
  const typed = requestPath(words, options.query);
  const path = format === undefined ? typed : withQuery(typed, { format });
  if (format === "parquet" && output === undefined && terminal.out.isTTY) {
    throw new UsageError("Parquet is not for terminals: give a file with -o.");
  }
  const service = await openService(options, terminal, { asOperator: isForOperators(path) });
  const stopped = terminal.stopped();
  const response = await service.ask(path, stopped);
  if (!response.ok || !response.body) throw await errorIn(response);
  if (output !== undefined) return writeWhole(output, response.body, stopped);
  const isJson = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
  if (!isJson) {
    for await (const chunk of response.body) terminal.out.write(chunk);
    return;
  }
  const text = await response.text();
  const isForPeople = terminal.out.isTTY === true && options.json !== true;
  terminal.out.write(`${isForPeople ? prettyJson(text, paintFor(terminal.out)) : text}\n`);
}

/** Whether a path is one that only operators may ask for. */
export function isForOperators(path: string): boolean {
  return path.startsWith("/operator");
}

function readFormat(text: string): string {
  if (formats.includes(text)) return text;
  throw new UsageError(`--format must be one of ${formats.join(", ")}.`);
}
