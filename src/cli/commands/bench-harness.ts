import { H2h3Error } from '../../core/model/errors.ts';
import type { BenchRow } from '../../app/bench/bench.ts';
import { addHostOptions, hostsOf, type HostFlags } from '../host-options.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';
import { wholeNumber } from '../../app/whole-number.ts';

interface Flags extends HostFlags {
  readonly client?: string;
  readonly repetitions: string;
  readonly only?: string;
  readonly probe?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

const examples = `
Examples:
  npx h2h3 bench-harness                                  every browser found, about twenty minutes
  npx h2h3 bench-harness --client embedded --repetitions 5
  npx h2h3 bench-harness --only trial --client chromium   where the time from one trial to the next goes
  npx h2h3 bench-harness --only probes --client chromium  what each probe adds to what it watches
  npx h2h3 bench-harness --only probes --markdown         the same as the table of docs/diagnosis.md
  npx h2h3 bench-harness --only probes --probe packets,context-switches --repetitions 40
  npx h2h3 bench-harness --only script --client chromium  what a connected script adds to the page that it loads
  npx h2h3 bench-harness --only asked --client chromium   what --deterministic, --device, --block and --header add to a page
  npx h2h3 bench-harness --only work --client chromium    how long the scripts of a replica take, with half a CPU too
  npx h2h3 bench-harness --only machines --server-host lab@10.0.0.2   what a second machine adds to a trial
  npx h2h3 bench-harness --only machines --client-host pi@10.0.0.7    the same with the browser there
  npx h2h3 bench-harness --only path --repetitions 3      the emulated path alone, two minutes
  npx h2h3 bench-harness --only replay --repetitions 3    recorded sites compared with plain files`;

export const addBenchHarnessCommand: AddCommand = (program, context) => {
  const command = program
    .command('bench-harness')
    .description(
      "measure the instrument itself: the time from trial to trial, a trial's overhead, each probe's cost, the server's headroom, the emulated path",
    )
    .option('--client <list>', 'browsers by name (default: every one found, and the embedded one)')
    .option('--repetitions <n>', 'measurements of each', '10')
    .option(
      '--only <part>',
      'one part of it: trial, machines, harness, probes, headroom, path, replay, script, asked, work, instrumentation or congestion',
    )
    .option('--probe <list>', 'of the part probes: these alone, by name (default: every one)')
    .option('--json', 'print the rows as JSON')
    .option('--markdown', 'print what each probe costs as a table for a page')
    .addHelpText('after', examples);
  addHostOptions(command).action(async (flags: Flags) => {
    const { bench } = await import('../../app/bench/bench.ts');
    if (flags.markdown === true && flags.only !== 'probes')
      throw new H2h3Error('usage', '--markdown is the table of what probes cost', {
        context: { expected: '--only probes --markdown', got: `--only ${flags.only ?? '(everything)'}` },
      });
    const rows = await bench(
      {
        clients: flags.client?.split(','),
        repetitions: wholeNumber('repetitions', flags.repetitions, 1),
        only: flags.only,
        probeIds: flags.probe?.split(','),
        ...hostsOf(flags),
      },
      context,
    );
    context.progress.clear();
    context.print(await textOf(rows, flags));
  });
};

async function textOf(rows: readonly BenchRow[], { json, markdown }: Flags): Promise<string> {
  const { probeCostTable } = await import('../../app/bench/probe-cost-table.ts');
  if (json === true) return JSON.stringify({ rows }, null, 1);
  return markdown === true ? probeCostTable(rows) : asTable(rows);
}

function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function asTable(rows: readonly BenchRow[]): string {
  const cells = rows.map(({ group, subject, quantity, value, range, unit, repetitions, limit, ok, note }) => [
    group,
    subject,
    quantity,
    value === null ? '–' : `${figure(value)} ${unit}`,
    range === null ? '' : `${figure(range[0])} to ${figure(range[1])}`,
    String(repetitions),
    ok === null || limit === null ? '' : `${ok ? 'within' : 'above'} ${figure(limit)} ${unit}`,
    note,
  ]);
  return formatTable([['what', 'of', 'quantity', 'median', 'range', 'n', 'limit', 'note'], ...cells]);
}
