import { describe, describeSubjects, planFileJsonSchema, type Row } from '../../app/describe/describe.ts';
import { H2h3Error } from '../../model/errors.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join(' ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, item]) => `${key} ${cell(item)}`)
      .join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function asTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return formatTable([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);
}

function isNamed(row: Row, part: string | undefined): boolean {
  if (part === undefined) return true;
  const wanted = part.toLowerCase();
  return [row['id'], row['name'], row['title']].some((text) => cell(text).toLowerCase().includes(wanted));
}

export const addDescribeCommand: AddCommand = (program, context) => {
  program
    .command('describe')
    .description(`list what has a name: ${describeSubjects.join(', ')}`)
    .argument('[subject]', 'one of these; all names of presets and workloads when left out')
    .argument('[part]', 'only what has this in its name or title')
    .option('--json', 'print JSON only, such as {"sites":[…]}')
    .addHelpText(
      'after',
      '\nExamples:\n  h2h3 describe sites\n  h2h3 describe sites news\n  h2h3 describe ladders --json\n  h2h3 describe schema > plan.schema.json    for editors: "$schema: ./plan.schema.json" in a plan file',
    )
    .action(async (subject: string | undefined, part: string | undefined, flags: { json?: boolean }) => {
      if (subject === 'schema' && flags.json !== true) {
        context.print(JSON.stringify(planFileJsonSchema(), null, 2));
        return;
      }
      const wanted = subject === undefined ? ['presets', 'workloads'] : [subject];
      for (const name of wanted) {
        const rows = (await describe(name, context)).filter((row) => isNamed(row, part));
        if (rows.length === 0 && part !== undefined)
          throw new H2h3Error('usage', `none of the ${name} has "${part}" in its name or title`);
        context.print(flags.json === true ? JSON.stringify({ [name]: rows }) : `${name}\n${asTable(rows)}\n`);
      }
    });
};
