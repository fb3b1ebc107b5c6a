import { looksBimodal, notableMemory, outlierIndices } from '../statistics/sample-shape.ts';
import { wilcoxonSignedRank } from '../statistics/wilcoxon-signed-rank.ts';
import { counted } from '../figures/figures.ts';
import type { Effect } from './effect.ts';
import type { CompletePair } from './paired-values.ts';

export interface SampleWarningInput {
  readonly pairs: readonly CompletePair[];
  /** Rows in which only one arm has a value. */
  readonly incompleteBlocks: number;
  readonly effect: Effect;
  readonly askedForRatio: boolean;
  /** Whether a verdict of the run rests on it. */
  readonly primary: boolean;
  readonly labels: { readonly baseline: string; readonly candidate: string };
}

/** Names everything about the samples that a reader should know before trusting the figures. */
export function sampleWarnings(input: SampleWarningInput): string[] {
  const { pairs, effect } = input;
  const warnings: string[] = [];
  const { minValues } = effect.test;
  if (pairs.length > 0 && pairs.length < minValues) {
    warnings.push(`small sample: ${counted(pairs.length, 'block')}, no interval below ${minValues}`);
  }
  if (input.incompleteBlocks > 0) {
    warnings.push(`${counted(input.incompleteBlocks, 'block')} left out: only one arm has a value there`);
  }
  if (input.askedForRatio && effect.form === 'difference' && pairs.length > 0) {
    warnings.push(
      'a value is not above zero: compared by difference, with the margin as a share of the median',
    );
  }
  warnings.push(...tieWarnings(effect, pairs.length));
  const memory = input.primary ? notableMemory(effect.effects) : null;
  if (memory !== null) {
    warnings.push(
      `neighbouring blocks resemble each other (autocorrelation ${memory.toFixed(2)}): something changed during the run that met one arm more, and p may be too small`,
    );
  }
  for (const arm of ['baseline', 'candidate'] as const) {
    const values = pairs.map((pair) => pair[arm]);
    warnings.push(...shapeWarnings(values, pairs, input.labels[arm]));
  }
  return warnings;
}

function tieWarnings({ test, effects }: Effect, blocks: number): string[] {
  const { zeros, tied } = wilcoxonSignedRank(effects);
  if (blocks > 0 && zeros === blocks) return ['both arms are equal in every block'];
  const warnings: string[] = [];
  if (zeros > 0 && test.name === 'signed-rank')
    warnings.push(`no difference in ${zeros} of ${blocks} blocks: not ranked`);
  const constant = effects.length > 1 && effects.every((effect) => effect === effects[0]);
  if (constant) warnings.push('the effect is the same in every block');
  else if (tied && test.name === 'signed-rank')
    warnings.push('tied differences: p is exact for their midranks, the interval is conservative');
  return warnings;
}

function shapeWarnings(values: readonly number[], pairs: readonly CompletePair[], label: string): string[] {
  if (values.length < 2) return [];
  if (values.every((value) => value === values[0]))
    return [`constant sample: ${label} is ${values[0]} in every block`];
  const warnings: string[] = [];
  if (looksBimodal(values)) warnings.push(`bimodal sample: ${label} falls into two groups`);
  const blocks = outlierIndices(values).map((index) => pairs[index]?.blockIndex);
  if (blocks.length > 0) warnings.push(`outliers kept: ${label} in block ${blocks.slice(0, 5).join(', ')}`);
  return warnings;
}
