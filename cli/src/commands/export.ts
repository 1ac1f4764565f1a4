import { statSync } from "node:fs";
import { extname } from "node:path";
import { tools } from "@slipway/server/commands";
import type { Command } from "commander";
import { openService, type ServiceOptions, withServiceOptions } from "../asked-service.ts";
import { UsageError } from "../errors.ts";
import { listPages } from "../list-pages.ts";
import { describeList } from "../openapi.ts";
import { collect } from "../options.ts";
import { writeWhole } from "../part-file.ts";
import { requestPath } from "../request-path.ts";
import type { Terminal } from "../terminal.ts";
import { isForOperators } from "./get.ts";

type ExportOptions = ServiceOptions & { query?: string[]; output: string; json?: boolean };

const drawEveryMs = 100;
const lineEveryRows = 100_000;

/** Adds the command that writes a whole list into a file. */
export function addExportCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("export <path...>")
    .description("Write all pages of a list into one file: CSV, Parquet, JSON or NDJSON.")
    .requiredOption("-o, --output <file>", "where to; its ending says as what: .csv, .parquet, …")
    .option("-q, --query <name=value>", "a query parameter; may be given again", collect)
    .option("--json", "print what was written as JSON");
  withServiceOptions(command)
    .addHelpText(
      "after",
      tools.helpEnd(
        [
          "slipway export cex/kraken/BTC-USD/trades -q since=1793491200 -o trades.parquet",
          "slipway export dex/uniswap-v3/ethereum/pools -o pools.csv",
          "slipway export ramp/transactions -o transactions.ndjson",
        ],
        "Numbers keep all the digits that the service gave. The file appears when it is complete; Ctrl-C leaves nothing\n" +
          "behind. Candles without `from` reach as far back as the exchange has them.",
      ),
    )
    .action((words: string[], options: ExportOptions) => exportList(words, options, terminal));
}

async function exportList(
  words: string[],
  { output, query, json, ...options }: ExportOptions,
  terminal: Terminal,
): Promise<void> {
  const { exportFormats, exportRows } = await tools.exporting();
  const format = formatOf(output, exportFormats);
  const path = requestPath(words, query);
  const service = await openService(options, terminal, { asOperator: isForOperators(path) });
  const stopped = terminal.stopped();
  const list = await describeList(service, path);
  const counted = counter(terminal);
  const pages = counted.pages(listPages(service, path, list, stopped));
  const pieces = exportRows({ format, schema: list.schema, pages });
  await writeWhole(output, counted.pieces(pieces), stopped);
  counted.end();
  const { size: bytes } = statSync(output);
  const { rows } = counted;
  const inWords = `${output}: ${rows.toLocaleString("en")} rows, ${bytes.toLocaleString("en")} bytes.`;
  terminal.out.write(`${json ? JSON.stringify({ file: output, format, rows, bytes }) : inWords}\n`);
}

function formatOf<Format extends string>(file: string, formats: readonly Format[]): Format {
  const ending = extname(file).slice(1).replace("jsonl", "ndjson");
  const format = formats.find((known) => known === ending);
  if (format) return format;
  throw new UsageError(`${file} must end in ${formats.map((name) => `.${name}`).join(", ")}.`);
}

/** Counts what goes through, and shows it: on a terminal all the time, elsewhere now and then. */
function counter({ errors, clock }: Terminal) {
  let bytes = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  let shownRows = 0;
  const count = {
    rows: 0,
    async *pages(pages: AsyncIterable<string[]>): AsyncGenerator<string[]> {
      for await (const rows of pages) {
        count.rows += rows.length;
        show();
        yield rows;
      }
    },
    async *pieces(pieces: AsyncIterable<string | Uint8Array>) {
      for await (const piece of pieces) {
        bytes += Buffer.byteLength(piece);
        yield piece;
      }
    },
    end: () => void (errors.isTTY && errors.write("\r\x1b[K")),
  };
  function show(): void {
    const words = `${count.rows.toLocaleString("en")} rows, ${bytes.toLocaleString("en")} bytes`;
    if (errors.isTTY && clock.now() - shownAt >= drawEveryMs) {
      shownAt = clock.now();
      errors.write(`\r\x1b[K${words}`);
    } else if (!errors.isTTY && count.rows - shownRows >= lineEveryRows) {
      shownRows = count.rows;
      errors.write(`${words}\n`);
    }
  }
  return count;
}
