import type { BlocksNeeded } from '../../core/model/blocks-needed.ts';
import { wordsWithout } from '../../core/model/command-words.ts';
import type { WrittenReason } from '../../core/model/reasons.ts';
import type { Summary } from '../../core/model/summary.ts';

/** Fewest and most blocks that may decide; null where no sensible number does or none is known. */
export function blocksRange(needed: BlocksNeeded | undefined): [number, number] | null {
  return needed === null || needed === undefined ? null : [needed[0], needed[1]];
}

/** A budget leaves room for what blocks of other nights, or other load, take. */
const budgetFactor = 1.5;

/** Blocks that a gate is judged after where it is run again for so many: half of them, and all. */
function interimsWords(blocks: number): string[] {
  const half = Math.ceil(blocks / 2);
  return ['--interims', half < minInterim ? String(blocks) : `${half},${blocks}`];
}

/** An earlier look hardly decides, and takes its share of the error. */
const minInterim = 12;

const isOurGate = ({ command }: Pick<Summary['run'], 'command'>): boolean => /^h2h3 gate\b/.test(command);
const isOurRun = ({ command }: Pick<Summary['run'], 'command'>): boolean => /^h2h3 run\b/.test(command);

/** Time for a run of so many minutes, because the budget of a preset would end it early; none where they are not known. */
export function budgetWords(minutes: number | null): string[] {
  return minutes === null ? [] : ['--budget', `${Math.ceil(minutes * budgetFactor)}m`];
}

/**
 * The run's command with so many blocks, and with time for them, because the budget of a preset would end them early;
 * null for runs that neither `h2h3 run` nor `h2h3 gate` has made.
 */
export function withBlocks(
  { command }: Summary['run'],
  blocks: number,
  minutes: number | null,
): string | null {
  const isGate = isOurGate({ command });
  if (!isGate && !isOurRun({ command })) return null;
  const kept = wordsWithout(command, ['--repetitions', '--interims', '--looks', '--out', '--budget']);
  const asked = isGate ? interimsWords(blocks) : ['--repetitions', String(blocks)];
  return [...kept, ...asked, ...budgetWords(minutes)].join(' ');
}

const maxMinutes = 60;

/** The most blocks up to `high` that an hour holds, but `low` at least: what is advised costs hours only where less is of no use. */
export function withinAnHour(low: number, high: number, minutes: (blocks: number) => number | null): number {
  const all = minutes(high);
  if (all === null || all <= maxMinutes) return high;
  return Math.max(low, Math.floor((high * maxMinutes) / all));
}

/** The run's command over an everyday network; null for runs that no `h2h3 run` has made. */
export function withNetwork({ command }: Summary['run'], network: string): string | null {
  if (!isOurRun({ command })) return null;
  const words = wordsWithout(command, ['--network', '--out']).map((word) =>
    word === 'web-loopback' ? 'web' : word,
  );
  return [...words, '--network', network].join(' ');
}

/** Minutes that so many blocks take on this machine, by what the blocks of this run took; null where nothing ran. */
export function minutesOf({ spanMs }: Summary['run'], blocksRun: number, blocks: number): number | null {
  if (spanMs === null || blocksRun === 0) return null;
  const minutes = Math.round(((spanMs / blocksRun) * blocks) / 60_000);
  return Number.isFinite(minutes) ? Math.max(1, minutes) : null;
}

/** The run's command where its film is more at risk: over another network, or a preset of ours; null for runs that no `h2h3 run` has made. */
export function withRisk(run: Summary['run'], { reasonFacts = {} }: WrittenReason): string | null {
  const { harderNetwork, harderPreset } = reasonFacts;
  if (harderNetwork !== undefined) return withNetwork(run, `${harderNetwork}`);
  return harderPreset === undefined || !isOurRun(run) ? null : `h2h3 run ${harderPreset}`;
}
