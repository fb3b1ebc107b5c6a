import { formatDuration } from '../../app/duration.ts';
import type { PlanPreview } from '../../app/preview/plan.ts';
import type { Audience } from '../../core/model/audience.ts';
import type { PlanFlags } from '../../app/plan/plan-flags.ts';
import { plural } from '../../app/words.ts';
import { groupHelp } from '../grouped-help.ts';
import { addPlanOptions, givenPlanOf, group, planGroups, planSource } from '../plan-options.ts';
import { formatSentence, formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface Flags extends PlanFlags {
  readonly json?: boolean;
  readonly budget?: readonly string[];
  readonly baseline?: string;
  readonly candidate?: string;
  readonly margin?: string;
}

const examples = [
  'npx h2h3 plan web                                 # what npm run bench:web would do',
  'npx h2h3 plan my-plan.yaml --repetitions 20',
  'npx h2h3 plan --baseline nginx@1.26 --candidate nginx@1.30 --margin 3%   # what such a gate can find here',
  'npx h2h3 plan download --json                     # the expanded plan, every trial in order',
];

type Forecast = PlanPreview['forecasts'][number];

/** @param roomBlocks blocks for which the budget has room */
function familyLine(
  { kind, metric, comparisons, canDecide, test, ...family }: PlanPreview['families'][number],
  roomBlocks: number,
): string {
  const able = canDecide
    ? roomBlocks < family.minBlocks
      ? `can decide from ${family.minBlocks} blocks on, for which this budget has no room`
      : 'can decide'
    : `can never decide (needs ${family.minBlocks} blocks)`;
  const by =
    test === 't'
      ? 't test of pooled blocks'
      : `signed-rank test, smallest reachable p ${family.smallestAdjustedPValue.toPrecision(2)}`;
  return `${kind}: primary ${metric}, ${plural(comparisons, 'comparison')}, ${by}: ${able}`;
}

/** Such as `8 blocks and 2 that are recorded`. */
function blocksInWords({ repetitions, recordedBlocks }: PlanPreview['plan']): string {
  const timed = plural(repetitions, 'block');
  if (recordedBlocks === 'all') return `${timed}, each timed and recorded`;
  return recordedBlocks === 0
    ? timed
    : `${timed} and ${recordedBlocks} that ${recordedBlocks === 1 ? 'is' : 'are'} recorded`;
}

/** Timed and recorded ones. */
const blocksOf = ({ repetitions, recordedBlocks }: PlanPreview['plan']): number =>
  repetitions + (recordedBlocks === 'all' ? repetitions : recordedBlocks);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function forecastLine({ metric, noiseOf, blocks, smallestDetectable, ...power }: Forecast): string {
  const smallest =
    smallestDetectable === null
      ? `no change can be found in ${blocks} blocks`
      : `from ${blocks} blocks: ${noiseOf.form === 'ratio' ? `${(smallestDetectable * 100).toPrecision(2)} %` : `${smallestDetectable.toPrecision(3)} ${noiseOf.unit}`} or more is found in 80 % of runs`;
  return `${metric}: ${smallest}; one of twice the margin in ${percent(power.powerAtTwiceMargin)}, no change as equivalent in ${percent(power.powerOfEquivalence)} (noise of ${noiseOf.workload} over ${noiseOf.arm} on this machine)`;
}

/** How long it takes to decide a whole audience within the margin. @param blockMs a block of the plan */
function audienceForecast(
  { metric, noiseOf, margin, blocksOfEquivalence: blocks }: Forecast,
  blockMs: number,
): string {
  const size =
    noiseOf.form === 'ratio' ? `${Number((margin * 100).toPrecision(2))} %` : `${margin} ${noiseOf.unit}`;
  const supposed = `if each segment varies for itself, as ${noiseOf.workload} over ${noiseOf.network} does on this machine`;
  if (blocks === null) return `${metric} of all users: more than 200 blocks to decide ±${size}, ${supposed}`;
  return `${metric} of all users: ${plural(blocks, 'block')} (about ${formatDuration(blocks * blockMs)}) decide ±${size} in 80 % of runs, ${supposed}`;
}

/** Who the users are that the plan measures for: a line a condition, then who is left out and what was assumed. */
async function audienceLines(
  { source, conditions, leftOut, spread, notes }: Audience,
  families: PlanPreview['families'],
): Promise<string[]> {
  const { leftOutShare, maxLeftOutShare, noWholeAnswer } = await import('../../core/model/audience.ts');
  const table = conditions.map(({ network, title, share, upMbps, segments }) => [
    percent(share),
    title,
    `${upMbps} Mbit/s`,
    String(segments),
    network,
  ]);
  const lost = leftOutShare({ leftOut });
  return [
    '',
    formatTable([['share', `users of ${source}`, 'up', 'lines', 'network'], ...table]),
    '',
    ...leftOut.map(({ title, share, why }) => formatSentence(`left out: ${percent(share)} ${title}: ${why}`)),
    ...(lost > maxLeftOutShare
      ? [
          formatSentence(
            `more than ${percent(maxLeftOutShare)} is left out, so nothing will be said of the whole`,
          ),
        ]
      : []),
    ...(spread.rttPercent + spread.ratePercent > 0
      ? [
          formatSentence(
            `page views differ from their condition by ${spread.rttPercent} % in round trip and ${spread.ratePercent} % in rate (root mean square)`,
          ),
        ]
      : []),
    ...notes.map((note) => formatSentence(note)),
    ...families
      .filter(({ pooled }) => !pooled)
      .map(({ kind, metric }) => formatSentence(noWholeAnswer(kind, metric))),
    '',
  ];
}

export const addPlanCommand: AddCommand = (program, context) => {
  const command = addPlanOptions(
    program.command('plan').description('say what would run, how long it takes, and whether it can decide'),
    context.progress,
  ).option('--json', 'print the expanded plan');
  group(command, 'compare')
    .option('--baseline <name>', 'plan a gate: the accepted browser, server or player, as in `h2h3 gate`')
    .option('--candidate <name>', 'the one in question');
  groupHelp(command, planGroups, examples, context.words);
  command.action(async (named: string | undefined, given: Flags) => {
    const { plan: previewPlan } = await import('../../app/preview/plan.ts');
    const { errorOf } = await import('../../app/preflight/preflight.ts');
    const { scaleTimes } = await import('../../app/plan/scale-times.ts');
    const { baseline, candidate, margin: marginText, ...asked } = given;
    const isGate = baseline !== undefined || candidate !== undefined;
    const { source, flags } = isGate
      ? { source: named, flags: asked }
      : await planSource(named, asked, context.progress);
    const { shareOfMargin } = await import('../../app/plan/margins-file.ts');
    const margin = marginText === undefined ? undefined : shareOfMargin(marginText);
    const say = (sentence: string): void => context.print(formatSentence(sentence));
    const { planFlags, budgetMs: givenMs } = await givenPlanOf(flags);
    const { plan, expectedMs, onHosts, budgetMs, families, forecasts, events, warnings, refusals } =
      await previewPlan(source, planFlags, context, {
        budgetMs: givenMs,
        ...(isGate ? { gate: { baseline, candidate }, margin } : {}),
      });
    const refusal = errorOf(refusals);
    if (refusal !== null && refusals.some(({ holdsSecret = false }) => holdsSecret)) throw refusal;
    if (flags.json === true) {
      context.print(JSON.stringify(plan, null, 1));
      if (refusal !== null) throw refusal;
      return;
    }
    const conditions = plan.conditions.map(({ workload, client, network, server }) => [
      workload,
      client,
      network,
      server,
    ]);
    context.print(formatTable([['workload', 'client', 'network', 'server'], ...conditions]));
    const users = plan.audience === undefined ? [''] : await audienceLines(plan.audience, families);
    users.forEach((line) => context.print(line));
    const arms = plan.arms.map(({ label }) => label).join(', ');
    say(
      `${plan.trials.length} trials: ${plural(plan.conditions.length, 'condition')} × arms ${arms} × ${blocksInWords(plan)}, about ${formatDuration(expectedMs)}`,
    );
    if (onHosts.length > 0)
      say(
        `parted over ${onHosts.map(({ hosts, expectedMs: time }) => `${hosts} machines about ${formatDuration(time)}`).join(', over ')} (run --shard)`,
      );
    if (budgetMs !== undefined && budgetMs < expectedMs)
      say(
        `a run begins no further block after ${formatDuration(budgetMs)} (--budget says another time); run --resume continues with the rest`,
      );
    const roomShare = Math.min(1, (budgetMs ?? Infinity) / expectedMs);
    families.forEach((family) => say(familyLine(family, Math.floor(plan.repetitions * roomShare))));
    if (plan.interims !== undefined)
      say(`judged after ${plan.interims.join(', ')} blocks; it stops when all of this is decided`);
    forecasts.forEach((forecast) => say(forecastLine(forecast)));
    forecasts
      .filter(({ ofAudience }) => ofAudience)
      .forEach((forecast) => say(audienceForecast(forecast, expectedMs / blocksOf(plan))));
    events.forEach(say);
    if (forecasts.length === 0 && families.length > 0)
      say('what it can find here is not known: this machine is not calibrated (npx h2h3 calibrate)');
    if (plan.arms.length === 1) say('one arm only: nothing is compared, each metric is described');
    if (!isGate) (await scaleTimes(source)).forEach(say);
    warnings.forEach((line) => say(`warning: ${line}`));
    if (refusal !== null) throw refusal;
  });
};
