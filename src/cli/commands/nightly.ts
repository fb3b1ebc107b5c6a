import { join, relative } from 'node:path';
import { describeMachine } from '../../system/machine.ts';
import { renderGateText } from '../../../reports/gate/render-gate-text.ts';
import { H2h3Error, messageOf } from '../../model/errors.ts';
import { exitCodeOf, exitCodes } from '../../model/exit-codes.ts';
import type { Plan } from '../../model/plan.ts';
import { currentBaseline } from '../../store/baselines.ts';
import { openHistory } from '../../store/history.ts';
import { appendNightEvent } from '../../store/nights.ts';
import { parseDuration } from '../../app/duration.ts';
import { browserOf, exactClient } from '../../app/plan/exact-client.ts';
import { exitCodeOfGate, judgeDirectory } from '../../app/gate/gate-outputs.ts';
import { runGate } from '../../app/gate/gate-run.ts';
import { importRuns, publishTrend, trendMetrics } from '../../app/history/history-file.ts';
import { noiseOfMachine } from '../../app/run/noise-of-machine.ts';
import { marginWarnings } from '../../app/plan/machine-limits.ts';
import { loadOwnWorkloads } from '../../app/plan/own-workloads.ts';
import { parseLooks } from '../parse-looks.ts';
import { readMarginsFile } from '../../app/plan/margins-file.ts';
import { writeReports, writeSummary } from '../../app/report/publish.ts';
import { publishIndex } from '../../app/report/publish-index.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import type { AddCommand } from './command.ts';

interface NightlyFlags {
  readonly candidate: string;
  readonly baseline?: string;
  readonly preset: string;
  readonly protocols: string;
  readonly workload?: string;
  readonly budget: string;
  readonly margins?: string;
  readonly looks?: string;
  readonly strict?: boolean;
  readonly install: boolean;
  readonly results: string;
}

const examples = `
Examples:
  h2h3 baseline accept chromium@148.0.0      once: the version that is known to be good
  h2h3 nightly                               every night: newest Chromium against it, report, history, trend, exit code
  h2h3 nightly --candidate firefox@nightly --budget 30m --strict
  h2h3 nightly --candidate chromium@153 --no-install

Exit codes are those of gate. nights.jsonl notes when a night began and ended, so that a missed, crashed or half night
shows in the trend; none of them becomes a baseline. examples/nightly holds a systemd timer and a line for cron,
.github/workflows a workflow.`;

export const addNightlyCommand: AddCommand = (program, context, exit) => {
  program
    .command('nightly')
    .description('the newest browser against the accepted one, with history and trend')
    .option('--candidate <client>', 'browser to check', 'chromium@stable')
    .option('--baseline <client>', 'instead of the accepted one')
    .option('--preset <name>', 'what is loaded', 'nightly')
    .option('--protocols <list>', 'over which protocols each is run', 'h2,h3')
    .option('--workload <list>', 'workloads instead of the preset’s')
    .option('--budget <time>', 'begin no block that would end after this time', '60m')
    .option('--margins <file>', 'margins by metric, YAML or JSON')
    .option('--looks <list>', 'blocks after which to judge (default 12,16,20)')
    .option('--strict', 'exit with 5 when undecided')
    .option('--no-install', 'use what is installed')
    .option('--results <dir>', 'folder of runs, history and baselines', 'results')
    .addHelpText('after', examples)
    .action(async (flags: NightlyFlags) => {
      exit(await nightly(flags, context));
    });
};

function baselineOf(flags: NightlyFlags): string {
  const name = browserOf(flags.candidate);
  const accepted = flags.baseline ?? currentBaseline(flags.results, name)?.client;
  if (accepted !== undefined) return accepted;
  throw new H2h3Error('usage', `no baseline of ${name} was accepted, so there is nothing to compare with`, {
    next: `Accept the version that is known to be good: h2h3 baseline accept ${name}@VERSION`,
  });
}

async function checkMachine(plan: Plan, flags: NightlyFlags, context: AppContext): Promise<string[]> {
  const limits = { resultsDir: flags.results, strict: false, force: false };
  const margins = marginWarnings(plan, await describeMachine(), limits);
  margins.forEach((line) => context.progress.say(`warning: ${line}`));
  return [...(await noiseOfMachine(context)), ...margins];
}

async function compare(flags: NightlyFlags, folder: string, context: AppContext): Promise<number> {
  const setup = await setupContextOf(context);
  const baseline = baselineOf(flags);
  const candidate = await exactClient(flags.candidate, flags.install, setup);
  context.progress.say(`candidate ${candidate} against baseline ${baseline}`);
  const directory = await runGate(
    {
      baseline,
      candidate,
      source: flags.preset,
      own: await loadOwnWorkloads(context),
      flags: flags.workload === undefined ? {} : { workload: flags.workload },
      protocols: flags.protocols.split(','),
      looks: flags.looks === undefined ? undefined : parseLooks(flags.looks),
      margin: undefined,
      margins: flags.margins === undefined ? {} : readMarginsFile(flags.margins),
      budgetMs: parseDuration(flags.budget),
      out: folder,
      port: undefined,
      force: false,
      checkPlan: (plan) => checkMachine(plan, flags, context),
    },
    setup,
    context,
  );
  const strict = flags.strict === true;
  const gate = judgeDirectory(directory, { margins: {}, strict, warnings: [] });
  const report = await writeReports(directory, writeSummary(directory));
  context.progress.clear();
  context.print(renderGateText(gate, { columns: process.stdout.columns, colour: process.stdout.isTTY }));
  context.print(`report: ${relative(process.cwd(), report)}`);
  return exitCodeOfGate(gate, strict);
}

/** Takes the night into the history and writes trend and list; a history that cannot be had costs the night nothing. */
async function publish(flags: NightlyFlags, folder: string, context: AppContext): Promise<boolean> {
  try {
    const history = await openHistory(join(flags.results, 'history.duckdb'));
    try {
      const { refused } = await importRuns(history, [folder], (line) => context.progress.show(line));
      refused.forEach((line) => context.progress.say(`not in the history: ${line}`));
      const trend = await publishTrend(history, flags.results, trendMetrics);
      await publishIndex(flags.results);
      context.progress.clear();
      context.print(`trend: ${relative(process.cwd(), trend)}`);
    } finally {
      history.close();
    }
    return true;
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    context.progress.say(`the night is kept in ${folder}, but not in the history: ${thrown.message}`);
    if (thrown.next !== undefined) context.progress.say(`  next: ${thrown.next}`);
    return false;
  }
}

async function nightly(flags: NightlyFlags, context: AppContext): Promise<number> {
  const now = new Date().toISOString();
  const night = now.slice(0, 10);
  const folder = join(flags.results, `${now.slice(0, 19).replaceAll(':', '').replace('T', '-')}-nightly`);
  const note = (event: 'begin' | 'end', exitCode: number | null, text: string): void =>
    appendNightEvent(flags.results, {
      ...{ night, event, at: new Date().toISOString(), exitCode, note: text },
      folder: relative(flags.results, folder),
    });
  note('begin', null, '');
  try {
    const code = await compare(flags, folder, context);
    const kept = await publish(flags, folder, context);
    note('end', code, '');
    return code === exitCodes.ok && !kept ? exitCodes.unsupported : code;
  } catch (thrown) {
    const code = thrown instanceof H2h3Error ? exitCodeOf(thrown.code) : exitCodes.trialsFailed;
    note('end', code, messageOf(thrown));
    throw thrown;
  }
}
