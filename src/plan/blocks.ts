import { H2h3Error } from '../core/model/errors.ts';
import type { Arm, Condition, Plan, PlannedTrial } from '../core/model/plan.ts';
import { deriveSeed, seededRandom } from '../core/model/seeded-random.ts';
import type { InstrumentedBlocks, Instrumentation } from '../core/model/instrumentation.ts';

/** A condition with values for arms that leave a factor open. */
export interface OpenCondition {
  readonly condition: Condition;
  readonly open: Readonly<Record<'client' | 'network' | 'server', string>>;
}

/** How many blocks a plan has, and how many of them are recorded. */
export interface BlockCounts {
  /** Timed blocks. */
  readonly repetitions: number;
  /** Timed blocks after which it is judged, ascending. */
  readonly interims?: readonly number[] | undefined;
  readonly recordedBlocks: InstrumentedBlocks;
}

/** One block, and how its trials are instrumented. */
interface Block {
  readonly blockIndex: number;
  readonly modes: readonly Instrumentation[];
}

/** Two where the plan does not say, so that what is shown of one block can be checked against another. */
const usualInstrumentedBlocks = 2;

/**
 * How many blocks of a plan are recorded.
 *
 * @throws H2h3Error `usage` for more than the plan has blocks
 */
export function instrumentedBlocksIn(
  asked: InstrumentedBlocks | undefined,
  repetitions: number,
): InstrumentedBlocks {
  if (asked === undefined) return Math.min(usualInstrumentedBlocks, repetitions);
  if (asked === 'all' || asked <= repetitions) return asked;
  throw new H2h3Error(
    'usage',
    `${asked} recorded blocks are asked for, and the plan has ${repetitions} blocks`,
    {
      context: { expected: `0 to ${repetitions}, or all`, got: String(asked) },
      next: 'Say --recorded all to record every block, or ask for more blocks with --repetitions.',
    },
  );
}

/** How many blocks of trials a plan runs, timed and recorded ones together. */
export function blocksToRun({ repetitions, recordedBlocks }: BlockCounts): number {
  return repetitions + (recordedBlocks === 'all' ? repetitions : recordedBlocks);
}

/**
 * How many timed blocks run before each recorded block. The first comes before all of them, so that a run that is stopped
 * early can be looked at. The second waits for the first interim analysis, which may end the run, else for half of the blocks. The
 * others are spread over the rest.
 */
function uninstrumentedBlocksBefore({ repetitions, interims = [] }: BlockCounts, count: number): number[] {
  const [firstInterim] = interims;
  const start = firstInterim === undefined || firstInterim >= repetitions ? null : firstInterim;
  return Array.from({ length: count }, (_, place) => {
    if (place === 0) return 0;
    return start === null
      ? Math.floor((place * repetitions) / count)
      : start + Math.floor(((place - 1) * (repetitions - start)) / (count - 1));
  });
}

/** Every block of a plan in the order in which they run. Recorded blocks have the indices behind those of timed ones. */
function blocksInOrder(counts: BlockCounts): Block[] {
  const { repetitions, recordedBlocks } = counts;
  const timed = Array.from({ length: repetitions }, (_, blockIndex) => blockIndex);
  if (recordedBlocks === 'all')
    return timed.map((blockIndex) => ({ blockIndex, modes: ['uninstrumented', 'instrumented'] }));
  const recorded = uninstrumentedBlocksBefore(counts, recordedBlocks).map((place, index) => ({
    place,
    index,
  }));
  const byPlace = Map.groupBy(recorded, ({ place }) => place);
  const recordedAt = (done: number): Block[] =>
    (byPlace.get(done) ?? []).map(({ index }) => ({
      blockIndex: repetitions + index,
      modes: ['instrumented'],
    }));
  return timed.flatMap((blockIndex): Block[] => [
    ...recordedAt(blockIndex),
    { blockIndex, modes: ['uninstrumented'] },
  ]);
}

/** What the trials of a plan are made of. */
export interface TrialsToPlan extends BlockCounts {
  readonly conditions: readonly OpenCondition[];
  readonly arms: readonly Arm[];
  readonly seed: number;
  /** Whether there is anything to record of this client. Default: of each. */
  readonly isInstrumented?: ((client: string) => boolean) | undefined;
}

/**
 * Every trial in the seeded random order in which they run. One block of every condition comes before the next block of
 * any, so that drift hits all conditions alike.
 */
export function trialsOfBlocks(planned: TrialsToPlan): PlannedTrial[] {
  return blocksInOrder(planned).flatMap((block) => trialsOfBlock(planned, block));
}

function trialsOfBlock(
  { conditions, arms, seed, isInstrumented = () => true }: TrialsToPlan,
  { blockIndex, modes }: Block,
): PlannedTrial[] {
  const random = seededRandom(deriveSeed(seed, 'order', blockIndex));
  return random.shuffle(conditions).flatMap(({ condition, open }) => {
    const each = arms.flatMap((arm) => modes.map((instrumentation) => ({ arm, instrumentation })));
    return random.shuffle(each).flatMap(({ arm, instrumentation }): PlannedTrial[] => {
      const { client = open.client, network = open.network, server = open.server } = arm.factors;
      if (instrumentation === 'instrumented' && !isInstrumented(client)) return [];
      const { conditionId, workload, factors } = condition;
      return [
        {
          trialId: `${blockName(blockIndex, instrumentation)}-${conditionId}-${fileSafe(workload)}-${arm.slug}`,
          conditionId,
          blockIndex,
          arm: arm.label,
          workload,
          client,
          network,
          server,
          factors: { ...factors, ...arm.factors, client, network, server },
          blockSeed: deriveSeed(seed, 'block', conditionId, blockIndex),
          instrumentation,
        },
      ];
    });
  });
}

/**
 * Recorded blocks of some conditions of a plan, with the arms of its timed trials and indices behind all of its blocks.
 *
 * @param conditionIds of the conditions that are to be recorded
 */
export function furtherInstrumentedBlocks(
  { trials, seed }: Pick<Plan, 'trials' | 'seed'>,
  conditionIds: ReadonlySet<string>,
  blocks: number,
): PlannedTrial[] {
  const first = trials.find(({ instrumentation }) => instrumentation === 'uninstrumented')?.blockIndex;
  const alike = trials.filter(
    ({ conditionId, instrumentation, blockIndex }) =>
      instrumentation === 'uninstrumented' && blockIndex === first && conditionIds.has(conditionId),
  );
  const behind = 1 + Math.max(-1, ...trials.map(({ blockIndex }) => blockIndex));
  return Array.from({ length: blocks }, (_, place) => behind + place).flatMap((blockIndex) => {
    const random = seededRandom(deriveSeed(seed, 'order', blockIndex));
    const conditions = [...Map.groupBy(alike, ({ conditionId }) => conditionId).values()];
    return random.shuffle(conditions).flatMap((arms) =>
      random.shuffle(arms).map((trial): PlannedTrial => ({
        ...trial,
        trialId: trial.trialId.replace(/^b\d+/, blockName(blockIndex, 'instrumented')),
        blockIndex,
        blockSeed: deriveSeed(seed, 'block', trial.conditionId, blockIndex),
        instrumentation: 'instrumented',
      })),
    );
  });
}

/** Such as `b003`, or `e003` of a block that is recorded. */
function blockName(blockIndex: number, instrumentation: Instrumentation): string {
  return `${instrumentation === 'uninstrumented' ? 'b' : 'e'}${String(blockIndex).padStart(3, '0')}`;
}

/** So that a trial's id stays below what file systems allow. */
const maxNameCharacters = 100;

/** A name that is safe in every file system. */
function fileSafe(text: string): string {
  return text.replace(/[^\w.-]+/g, '_').slice(0, maxNameCharacters);
}
