import type { Row } from '../../app/describe/describe.ts';
import { wrap } from '../../app/words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { formatLists, formatTable, leadingColumns, widthOf } from '../table.ts';
import type { AddCommand } from './command.ts';
import { wholeNumber } from '../../app/whole-number.ts';

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join(' ');
  if (typeof value === 'object' && value !== null && 'executablePath' in value)
    return [...('version' in value ? [cell(value.version)] : []), cell(value.executablePath)]
      .filter((text) => text !== '')
      .join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, item]) => `${key} ${cell(item)}`)
      .join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Of many things a terminal shows the first columns, of one all. */
function asTable(rows: readonly Row[], widthCharacters: number | null): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const head = columns.map((key) => key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  const cells = [head, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  if (rows.length === 1 && widthCharacters !== null) return formatLists(cells, widthCharacters);
  return formatTable(leadingColumns(cells, widthCharacters), widthCharacters);
}

function asText(subject: string, rows: readonly Row[], note: string | null): string {
  const width = widthOf(process.stdout, process.env);
  const notes = note === null ? [] : wrap(note, width ?? Infinity);
  return [subject, asTable(rows, width), ...notes, ''].join('\n');
}

interface Flags {
  readonly json?: boolean;
  readonly page?: string;
  readonly rows?: string;
  readonly all?: boolean;
}

/** Rows of one page; undefined: all of them, which is what a file or a pipe gets unless a page is asked for. */
function rowsOfPage({ page, rows, all }: Flags): number | undefined {
  if (rows !== undefined) return wholeNumber('rows', rows, 1);
  if (page === undefined && (all === true || !process.stdout.isTTY)) return undefined;
  return Math.max(minRows, (process.stdout.rows ?? usualRows) - linesAround);
}

const minRows = 10;
const usualRows = 40;
/** Title, head, rule, the line about pages, and the next prompt. */
const linesAround = 7;

/** One page of the rows, and what to say of the others. @throws H2h3Error `usage` for a page that there is not */
function pageOf(
  rows: readonly Row[],
  subject: string,
  flags: Flags,
): { shown: readonly Row[]; note: string | null } {
  const rowsEach = rowsOfPage(flags);
  const pages = rowsEach === undefined ? 1 : Math.max(1, Math.ceil(rows.length / rowsEach));
  const page = wholeNumber('page', flags.page ?? '1', 1, pages);
  if (rowsEach === undefined || pages === 1) return { shown: rows, note: null };
  const first = (page - 1) * rowsEach;
  const shown = rows.slice(first, first + rowsEach);
  const more = page < pages ? `; \`--page ${page + 1}\` goes on, \`--all\` shows all` : '';
  const note = `${subject} ${first + 1} to ${first + shown.length} of ${rows.length}${more}; \`npx h2h3 describe ${subject} PART\` filters`;
  return { shown, note };
}

function isNamed(row: Row, part: string | undefined): boolean {
  if (part === undefined) return true;
  const wanted = part.toLowerCase();
  return [row['id'], row['name'], row['title']].some((text) => cell(text).toLowerCase().includes(wanted));
}

export const addDescribeCommand: AddCommand = (program, context) => {
  program
    .command('describe')
    .description(
      'list what has a name: presets, workloads, sites, ladders, clients, devices, networks, servers, proxies, metrics, factors, studies, schema, probes',
    )
    .argument('[subject]', 'one of these; all names of presets and workloads when left out')
    .argument('[part]', 'only what has this in its name or title')
    .option('--json', 'print JSON only, such as {"sites":[…]}')
    .option('--page <n>', 'one page of a long list; a terminal shows the first')
    .option('--rows <n>', 'rows of a page (default: what the terminal holds)')
    .option('--all', 'the whole list')
    .addHelpText(
      'after',
      '\nExamples:\n  npx h2h3 describe sites\n  npx h2h3 describe sites wiki\n  npx h2h3 describe sites --page 2\n  npx h2h3 describe ladders --json\n  npx h2h3 describe schema > plan.schema.json    for editors: "$schema: ./plan.schema.json" in a plan file\n  npx h2h3 describe schema summary               the schema of summary.json',
    )
    .action(async (subject: string | undefined, part: string | undefined, flags: Flags) => {
      const { describe, jsonSchemaOf } = await import('../../app/describe/describe.ts');
      if (subject === 'schema' && flags.json !== true) {
        context.print(JSON.stringify(jsonSchemaOf(part), null, 2));
        return;
      }
      const wanted = subject === undefined ? ['presets', 'workloads'] : [subject];
      for (const name of wanted) {
        const rows = (await describe(name, context)).filter((row) => isNamed(row, part));
        if (rows.length === 0 && part !== undefined)
          throw new H2h3Error('usage', `none of the ${name} has "${part}" in its name or title`);
        const { shown, note } = pageOf(rows, name, flags.json === true ? { all: true, ...flags } : flags);
        if (flags.json === true) context.print(JSON.stringify({ [name]: shown }));
        else context.print(asText(name, shown, note));
      }
    });
};
