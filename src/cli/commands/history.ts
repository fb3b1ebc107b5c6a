import type { Command } from 'commander';
import { givenPath } from '../../app/given-path.ts';
import type { HistoryPlace, ImportCount } from '../../app/history/history.ts';
import { exitCodes } from '../../core/model/exit-codes.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Trend, TrendSeries } from '../../core/model/history.ts';
import { nightsToFind } from '../../core/model/history.ts';
import { formatTable } from '../table.ts';
import type { AddCommand, CommandContext } from './command.ts';

interface HistoryFlags {
  readonly history?: string;
  readonly results: string;
}

interface QueryFlags extends HistoryFlags {
  readonly metric?: string;
  readonly workload?: string;
  readonly sql?: string;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 history add results/*                     take runs in; again costs nothing
  npx h2h3 history query                             nights, medians and changes of the primary metrics
  npx h2h3 history query --metric pltMs --workload page-agency
  npx h2h3 history query --sql "SELECT version, median(value) FROM observations WHERE metric = 'pltMs' GROUP BY ALL"
  npx h2h3 history trend                             write results/history.html
  npx h2h3 history export parquet/                   runs.parquet, observations.parquet
  npx h2h3 history prune --keep 400d                 drop values older than that; the runs stay listed
  npx h2h3 history rebuild                           make the file anew from the run directories; the old one is kept

The history is one DuckDB file, results/history.duckdb unless --history names another.`;

function historyFiles({ history, results }: HistoryFlags): HistoryPlace {
  return { file: history, resultsDir: results };
}

function sayImport(count: ImportCount, context: CommandContext): number {
  context.progress.clear();
  const { added, replaced, unchanged, refused } = count;
  context.print(`${added} added, ${replaced} replaced, ${unchanged} unchanged, ${refused.length} refused`);
  refused.forEach((line) => context.progress.say(`refused: ${line}`));
  return refused.length > 0 && added + replaced + unchanged === 0 ? exitCodes.usage : exitCodes.ok;
}

function show(value: number): string {
  return Number(value.toPrecision(4)).toString();
}

/** `pltMs ÷ 153.0.1`: the metric, and the baseline that it is set against. */
function metricOf({ metric, pairedWith }: TrendSeries): string {
  if (pairedWith === undefined) return metric;
  return `${metric} ${pairedWith.form === 'ratio' ? '÷' : '−'} ${pairedWith.baseline}`;
}

async function printTrend(
  trend: Trend,
  workload: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { metricDefinition } = await import('../../core/metrics/registry.ts');
  const unitOf = ({ metric, pairedWith }: TrendSeries): string =>
    pairedWith?.form === 'ratio' ? '' : (metricDefinition(metric)?.unit ?? '');
  const troubled = trend.nights.filter(({ state }) => state !== 'complete');
  const complete = trend.nights.length - troubled.length;
  context.print(`${complete} complete nights of ${trend.nights.length}`);
  troubled.forEach(({ night, state, note }) => context.print(`  ${night} ${state}: ${note}`));
  const series = trend.series.filter((series) => workload === undefined || series.workload === workload);
  const rows = series.flatMap((series) =>
    series.nights.map(({ night, version, n, median, interval }) => [
      series.workload,
      metricOf(series),
      series.protocol,
      `${series.family} ${series.build}`,
      night,
      version,
      String(n),
      show(median),
      interval === null ? '' : `${show(interval[0])} to ${show(interval[1])}`,
    ]),
  );
  if (rows.length > 0)
    context.print(
      formatTable([
        ['workload', 'metric', 'protocol', 'browser', 'night', 'version', 'n', 'median', '95 % interval'],
        ...rows,
      ]),
    );
  const changes = series.flatMap((series) =>
    series.changes.map(
      ({ night, version, before, after, pValue }) =>
        `${series.workload} ${metricOf(series)} ${series.protocol}: ${show(before)} to ${show(after)} ${unitOf(series)} since ${night} (${version}), p = ${pValue}`,
    ),
  );
  context.print(changes.length === 0 ? 'no change of level found' : `changes:\n  ${changes.join('\n  ')}`);
  const found = nightsToFind.map(({ step, nights }) => `${nights} nights for ${step} standard deviations`);
  context.print(
    `a lasting step is found in at least 80 % of series from: ${found.join(', ')} between nights`,
  );
}

/** `400d` as the first night that is kept. @throws H2h3Error `usage` */
function firstNightKept(text: string, now: Date): string {
  const days = Number(/^(\d+)d$/.exec(text)?.[1]);
  if (!(days > 0)) throw new H2h3Error('usage', `--keep wants days such as 400d, got "${text}"`);
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}

function subcommand(history: Command, name: string, description: string): Command {
  return history
    .command(name)
    .description(description)
    .option('--history <file>', 'the history (default <results>/history.duckdb)')
    .option('--results <dir>', 'folder of the runs', 'results');
}

async function query(flags: QueryFlags, context: CommandContext): Promise<void> {
  const { historyQuery, historyTrend } = await import('../../app/history/history.ts');
  if (flags.sql !== undefined) {
    const rows = await historyQuery(flags.sql, historyFiles(flags), context.signal);
    if (flags.json === true) return context.print(JSON.stringify(rows, null, 1));
    const head = Object.keys(rows[0] ?? { nothing: '' });
    return context.print(formatTable([head, ...rows.map((row) => head.map((name) => String(row[name])))]));
  }
  const trend = await historyTrend(flags.metric?.split(','), historyFiles(flags));
  if (flags.json === true) context.print(JSON.stringify(trend, null, 1));
  else await printTrend(trend, flags.workload, context);
}

export const addHistoryCommand: AddCommand = (program, context, exit) => {
  const history = program
    .command('history')
    .description('keep runs over nights and versions, and find changes')
    .addHelpText('after', examples);
  subcommand(history, 'add', 'take run directories in; each counts once')
    .argument('<dirs...>', 'run directories, or folders that hold runs')
    .action(async (dirs: readonly string[], flags: HistoryFlags) => {
      const { addRuns } = await import('../../app/history/history.ts');
      exit(sayImport(await addRuns(dirs, historyFiles(flags), context), context));
    });
  subcommand(history, 'query', 'medians and intervals by night, and the nights on which a level changed')
    .option('--metric <list>', 'metrics by name')
    .option('--workload <name>', 'one workload')
    .option('--sql <text>', 'a query of your own on the tables runs and observations')
    .option('--json', 'print JSON')
    .action((flags: QueryFlags) => query(flags, context));
  subcommand(history, 'trend', 'write the trend page history.html into the folder of the runs')
    .option('--metric <list>', 'metrics by name')
    .action(async (flags: QueryFlags) => {
      const { writeTrend } = await import('../../app/history/history.ts');
      const file = await writeTrend(flags.metric?.split(','), historyFiles(flags));
      context.print(`trend: ${givenPath(file)}`);
    });
  subcommand(history, 'export', 'write the tables as Parquet')
    .argument('<dir>', 'folder for runs.parquet and observations.parquet')
    .action(async (dir: string, flags: HistoryFlags) => {
      const { exportHistory } = await import('../../app/history/history.ts');
      const files = await exportHistory(dir, historyFiles(flags));
      files.forEach((file) => context.print(file));
    });
  subcommand(history, 'prune', 'drop the values of old runs')
    .requiredOption('--keep <days>', 'how long values are kept, such as 400d')
    .action(async (flags: HistoryFlags & { readonly keep: string }) => {
      const { pruneHistory } = await import('../../app/history/history.ts');
      const night = firstNightKept(flags.keep, new Date());
      const dropped = await pruneHistory(night, historyFiles(flags));
      context.print(`${dropped} values of runs before ${night} dropped`);
    });
  subcommand(history, 'rebuild', 'make the history anew from the run directories').action(
    async (flags: HistoryFlags) => {
      const { rebuildHistory } = await import('../../app/history/history.ts');
      const { count, aside } = await rebuildHistory(historyFiles(flags), context);
      exit(sayImport(count, context));
      if (aside !== null) context.progress.say(`the old file is kept as ${givenPath(aside)}`);
    },
  );
};
