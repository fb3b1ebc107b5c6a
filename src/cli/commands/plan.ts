import { formatDuration } from '../../app/duration.ts';
import { plan as previewPlan, type PlanPreview } from '../../app/plan/plan.ts';
import type { PlanFlags } from '../../app/plan/plan-request.ts';
import { scaleTimes } from '../../app/plan/scale-times.ts';
import { requireDecidable } from '../../app/run/decidable-plan.ts';
import { plural } from '../../app/texts.ts';
import { addPlanOptions, planSource } from '../plan-options.ts';
import { formatSentence, formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface Flags extends PlanFlags {
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 plan web                          what "npm run bench:web" would do
  npx h2h3 plan my-plan.yaml --repetitions 20
  npx h2h3 plan download --json              the expanded plan, every trial in order`;

function familyLine({
  kind,
  metric,
  comparisons,
  canDecide,
  test,
  ...family
}: PlanPreview['families'][number]): string {
  const able = canDecide ? 'can decide' : `can never decide (needs ${family.fewestBlocks} blocks)`;
  const by =
    test === 't'
      ? 't test of pooled blocks'
      : `signed-rank test, smallest reachable p ${family.smallestAdjustedPValue.toPrecision(2)}`;
  return `${kind}: primary ${metric}, ${plural(comparisons, 'comparison')}, ${by}: ${able}`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function forecastLine({
  metric,
  noiseOf,
  blocks,
  smallestDetectable,
  ...power
}: PlanPreview['forecasts'][number]): string {
  const smallest =
    smallestDetectable === null
      ? `no change can be found in ${blocks} blocks`
      : `${blocks} blocks find a change of ${noiseOf.form === 'ratio' ? `${(smallestDetectable * 100).toPrecision(2)} %` : `${smallestDetectable.toPrecision(3)} ${noiseOf.unit}`} in 80 % of runs`;
  return `${metric}: ${smallest}; one of twice the margin in ${percent(power.powerAtTwiceMargin)}, no change as equivalent in ${percent(power.powerOfEquivalence)} (noise of ${noiseOf.workload} over ${noiseOf.arm} on this machine)`;
}

export const addPlanCommand: AddCommand = (program, context) => {
  addPlanOptions(
    program.command('plan').description('say what would run, how long it takes, and whether it can decide'),
  )
    .option('--json', 'print the expanded plan')
    .addHelpText('after', examples)
    .action(async (named: string | undefined, flags: Flags) => {
      const source = planSource(named, context.progress);
      const say = (sentence: string): void => context.print(formatSentence(sentence));
      const { plan, expectedMs, onHosts, budgetMs, families, forecasts, warnings } = await previewPlan(
        source,
        flags,
        context,
      );
      if (flags.json === true) {
        context.print(JSON.stringify(plan, null, 1));
        return;
      }
      const conditions = plan.conditions.map(({ workload, client, network, server }) => [
        workload,
        client,
        network,
        server,
      ]);
      context.print(formatTable([['workload', 'client', 'network', 'server'], ...conditions]));
      const arms = plan.arms.map(({ label }) => label).join(', ');
      context.print('');
      say(
        `${plan.trials.length} trials: ${plural(plan.conditions.length, 'condition')} × arms ${arms} × ${plan.repetitions} blocks, about ${formatDuration(expectedMs)}`,
      );
      if (onHosts.length > 0)
        say(
          `parted over ${onHosts.map(({ hosts, expectedMs: time }) => `${hosts} machines about ${formatDuration(time)}`).join(', over ')} (run --shard)`,
        );
      if (budgetMs !== undefined && budgetMs < expectedMs)
        say(
          `a run begins no further block after ${formatDuration(budgetMs)} (run --budget says another time); run --resume goes on with the rest`,
        );
      families.forEach((family) => say(familyLine(family)));
      if (plan.looks !== undefined)
        say(`judged after ${plan.looks.join(', ')} blocks; it stops when all of this is decided`);
      forecasts.forEach((forecast) => say(forecastLine(forecast)));
      if (forecasts.length === 0 && families.length > 0)
        say('what it can find here is not known: this machine is not calibrated (npx h2h3 calibrate)');
      if (plan.arms.length === 1) say('one arm only: nothing is compared, each metric is described');
      (await scaleTimes(source)).forEach(say);
      warnings.forEach((line) => say(`warning: ${line}`));
      requireDecidable(plan);
    });
};
