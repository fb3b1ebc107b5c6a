import { primaryFamilies, type PrimaryFamily } from '../../analyse/forecast/decidability.ts';
import { check } from './check.ts';

/** A plan whose outcome is known beforehand, inconclusive, does not begin. */
export const decidable = check('decidable', [], (plan) => {
  if (plan.exploratory) return [];
  const hopeless = primaryFamilies(plan).filter(({ canDecide }) => !canDecide);
  if (hopeless.length === 0) return [];
  const lines = hopeless.map(lineOf);
  const fewest = Math.max(...hopeless.map(({ minBlocks }) => minBlocks));
  return [
    {
      code: 'usage',
      reason: `this plan could never decide\n  ${lines.join('\n  ')}`,
      // A gate has no --repetitions: its interim analyses say how many blocks there are.
      next: `Use ${flagsFor(hopeless, fewest, plan.repetitions)} (of a gate: --interims that go on to ${fewest} or more), name fewer conditions, or say --exploratory.`,
    },
  ];
});

function lineOf(family: PrimaryFamily): string {
  const { kind, metric, comparisons, smallestAdjustedPValue: p, minBlocks, blocks, instrumentation } = family;
  const counted = `${blocks} ${instrumentation === 'uninstrumented' ? '' : 'recorded '}blocks`;
  // The t test has no smallest p.
  const reach = p > 0 ? `reach p = ${p.toPrecision(2)} at best` : 'decide nothing';
  return `${kind}: ${comparisons} primary comparison(s) of ${metric} with ${counted} ${reach}; ${minBlocks} blocks are needed`;
}

/** What is short of blocks where the user did not ask for more of them: evidence is recorded of few. */
function flagsFor(hopeless: readonly PrimaryFamily[], fewest: number, repetitions: number): string {
  const needsMore = fewest > repetitions ? [`--repetitions ${fewest}`] : [];
  const needsInstrumentation = hopeless.some(({ instrumentation }) => instrumentation === 'instrumented')
    ? [`--recorded ${fewest}`]
    : [];
  return [...needsMore, ...needsInstrumentation].join(' ');
}
