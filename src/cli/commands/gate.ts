import { relative } from 'node:path';
import { describeMachine } from '../../system/machine.ts';
import { renderGateText } from '../../../reports/gate/render-gate-text.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { parseDuration } from '../../app/duration.ts';
import { exitCodeOfGate, judgeDirectory } from '../../app/gate/gate-outputs.ts';
import { runGate } from '../../app/gate/gate-run.ts';
import { noiseOfMachine } from '../../app/run/noise-of-machine.ts';
import { marginWarnings, type MarginLimits } from '../../app/plan/machine-limits.ts';
import { loadOwnWorkloads } from '../../app/plan/own-workloads.ts';
import { parseLooks } from '../parse-looks.ts';
import { parseMargin, readMarginsFile } from '../../app/plan/margins-file.ts';
import { portOf } from '../../app/run/open-run.ts';
import { writeReports, writeSummary } from '../../app/report/publish.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import type { AddCommand } from './command.ts';

interface GateFlags {
  readonly baseline?: string;
  readonly candidate?: string;
  readonly preset?: string;
  readonly protocols: string;
  readonly workload?: string;
  readonly sites?: string;
  readonly network?: string;
  readonly inject?: readonly string[];
  readonly seed?: string;
  readonly looks?: string;
  readonly margin?: string;
  readonly margins?: string;
  readonly strict?: boolean;
  readonly budget?: string;
  readonly out?: string;
  readonly port?: string;
  readonly force?: boolean;
  readonly results: string;
}

const examples = `
Examples:
  h2h3 gate results/latest                                     judge a run that was made
  h2h3 gate --baseline chromium@148 --candidate chromium@153   run both in the same blocks, then judge
  h2h3 gate --baseline chromium@148 --candidate chromium@153 --preset web --margin 3% --budget 20m --strict
  h2h3 gate --baseline embedded --candidate embedded --workload page-agency   A/A: must pass
  h2h3 gate results/latest --margins margins.yaml

A candidate is worse only when the whole interval of a primary comparison lies beyond the margin and its adjusted p is
below the level of the look. A run is judged after 12, 16 and 20 blocks and ends as soon as it is decided.
Writes gate.json, gate.md and gate.junit.xml beside the report.`;

export const addGateCommand: AddCommand = (program, context, exit) => {
  program
    .command('gate')
    .description('say whether a candidate browser is worse than a baseline: exit code 1 if it is')
    .argument('[dir]', 'folder of a run to judge; without, baseline and candidate are run')
    .option('--baseline <client>', 'the accepted browser, such as chromium@148 or a path')
    .option('--candidate <client>', 'the browser in question')
    .option('--preset <name>', 'preset or plan file that says what is loaded (default web)')
    .option('--protocols <list>', 'over which protocols each is run', 'h2,h3')
    .option('--workload <list>', 'workloads instead of the preset’s')
    .option('--sites <list>', 'pages by name or "all" instead of the preset’s')
    .option('--network <name>', 'network instead of the preset’s')
    .option('--inject <fault>', 'a fault on purpose, such as candidate:delay=+20%; may be repeated', collect)
    .option('--seed <n>', 'seed of the order of trials')
    .option('--looks <list>', 'blocks after which to judge (default 12,16,20)')
    .option('--margin <share>', 'margin of the primary metrics, such as 3%')
    .option('--margins <file>', 'margins by metric, YAML or JSON')
    .option('--strict', 'exit with 5 when undecided')
    .option('--budget <time>', 'begin no block that would end after this time, such as 20m')
    .option('--out <dir>', 'folder of the run')
    .option('--port <n>', 'port of the server')
    .option('--force', 'judge even browsers of different builds, and margins below what this machine can see')
    .option('--results <dir>', 'where calibrations are kept', 'results')
    .addHelpText('after', examples)
    .action(async (dir: string | undefined, flags: GateFlags) => {
      exit(await gate(dir, flags, context));
    });
};

function collect(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

function marginOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const margin = parseMargin(text);
  if (margin !== undefined && margin < 1) return margin;
  throw new H2h3Error('usage', `--margin wants a share such as 3% or 0.03, got "${text}"`);
}

function limitsOf(flags: GateFlags): MarginLimits {
  return { resultsDir: flags.results, strict: flags.strict === true, force: flags.force === true };
}

/** Noise of the machine now, and margins below what it can see. */
async function checkMachine(plan: Plan, flags: GateFlags, context: AppContext): Promise<string[]> {
  const margins = marginWarnings(plan, await describeMachine(), limitsOf(flags));
  margins.forEach((line) => context.progress.say(`warning: ${line}`));
  return [...(await noiseOfMachine(context)), ...margins];
}

async function run(flags: GateFlags, context: AppContext): Promise<RunDirectory> {
  const { baseline, candidate } = flags;
  if (baseline === undefined || candidate === undefined)
    throw new H2h3Error('usage', 'a gate wants a run directory, or --baseline and --candidate', {
      next: 'Try `h2h3 gate results/latest` or see `h2h3 gate --help`.',
    });
  const setup = await setupContextOf(context);
  const { workload, sites, network, inject, seed } = flags;
  return runGate(
    {
      baseline,
      candidate,
      source: flags.preset ?? 'web',
      own: await loadOwnWorkloads(context),
      flags: {
        ...(workload === undefined ? {} : { workload }),
        ...(sites === undefined ? {} : { sites }),
        ...(network === undefined ? {} : { network }),
        ...(inject === undefined ? {} : { inject }),
        ...(seed === undefined ? {} : { seed }),
      },
      protocols: flags.protocols.split(','),
      looks: flags.looks === undefined ? undefined : parseLooks(flags.looks),
      margin: marginOf(flags.margin),
      margins: flags.margins === undefined ? {} : readMarginsFile(flags.margins),
      budgetMs: flags.budget === undefined ? undefined : parseDuration(flags.budget),
      out: flags.out,
      port: portOf(flags.port),
      force: flags.force === true,
      checkPlan: (plan) => checkMachine(plan, flags, context),
    },
    setup,
    context,
  );
}

function marginsForDirectory({ plan }: RunDirectory, flags: GateFlags): Record<string, number> {
  const margin = marginOf(flags.margin);
  const ofPrimary = Object.values(plan.primary).map((metric) => [metric, margin] as const);
  return {
    ...(margin === undefined ? {} : Object.fromEntries(ofPrimary.map(([metric]) => [metric, margin]))),
    ...(flags.margins === undefined ? {} : readMarginsFile(flags.margins)),
  };
}

async function gate(dir: string | undefined, flags: GateFlags, context: AppContext): Promise<number> {
  const strict = flags.strict === true;
  if (dir !== undefined && (flags.baseline !== undefined || flags.candidate !== undefined))
    throw new H2h3Error(
      'usage',
      'a run directory is judged as it is; it takes no --baseline and no --candidate',
    );
  const directory = dir === undefined ? await run(flags, context) : openRunDirectory(dir);
  const margins = marginsForDirectory(directory, flags);
  const machine = dir === undefined ? undefined : directory.environment()?.machine;
  const plan = { ...directory.plan, margins: { ...directory.plan.margins, ...margins } };
  const warnings =
    machine === undefined ? [] : marginWarnings(plan, machine, { ...limitsOf(flags), strict: false });
  const judged = judgeDirectory(directory, { margins, strict, warnings });
  if (dir === undefined) await writeReports(directory, writeSummary(directory));
  context.progress.clear();
  context.print(renderGateText(judged, { columns: process.stdout.columns, colour: process.stdout.isTTY }));
  context.print(`gate: ${relative(process.cwd(), directory.path) || '.'}/gate.json, gate.md, gate.junit.xml`);
  return exitCodeOfGate(judged, strict);
}
