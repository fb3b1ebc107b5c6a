import { formatDuration } from '../../app/duration.ts';
import { plan as previewPlan } from '../../app/plan/plan.ts';
import type { PlanFlags } from '../../app/plan/plan-request.ts';
import { scaleTimes } from '../../app/plan/scale-times.ts';
import { requireDecidable } from '../../app/run/decidable-plan.ts';
import { addPlanOptions } from '../plan-options.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface Flags extends PlanFlags {
  readonly json?: boolean;
}

const examples = `
Examples:
  h2h3 plan web                          what "npm run bench:web" would do
  h2h3 plan my-plan.yaml --repetitions 20
  h2h3 plan download --json              the expanded plan, every trial in order`;

export const addPlanCommand: AddCommand = (program, context) => {
  addPlanOptions(
    program.command('plan').description('say what would run, how long it takes, and whether it can decide'),
  )
    .option('--json', 'print the expanded plan')
    .addHelpText('after', examples)
    .action(async (source: string | undefined, flags: Flags) => {
      const { plan, expectedMs, families } = await previewPlan(source, flags, context);
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
      context.print(
        `\n${plan.trials.length} trials: ${plan.conditions.length} conditions × arms ${arms} × ${plan.repetitions} blocks, about ${formatDuration(expectedMs)} on an unshaped path`,
      );
      for (const { kind, metric, comparisons, canDecide, blocksNeeded, smallestAdjustedPValue } of families) {
        const verdict = canDecide ? 'can decide' : `can never decide (needs ${blocksNeeded} blocks)`;
        context.print(
          `${kind}: primary ${metric}, ${comparisons} comparison(s), smallest reachable p ${smallestAdjustedPValue.toPrecision(2)}: ${verdict}`,
        );
      }
      if (plan.arms.length === 1)
        context.print('one arm only: nothing is compared, each metric is described');
      scaleTimes(source).forEach((line) => context.print(line));
      requireDecidable(plan);
    });
};
