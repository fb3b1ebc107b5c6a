import { blockName } from '../../src/core/model/block-name.ts';
import { armNameOfLabel } from '../../src/core/factors/arm-name.ts';
import { namesOf } from '../../src/core/model/names.ts';
import type { Names } from '../../src/core/model/names.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';

/** Turns the ids of a summary into the names that people know. */
export type Labels = Names;

export const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Web pages',
  journey: 'Journeys',
  video: 'Video streaming',
  download: 'Downloads',
  upload: 'Uploads',
  messages: 'Messages',
};

/** An arm in the words of the sentences. */
export const armTitle = armNameOfLabel;

/**
 * Titles of the two arms compared; `candidate` and `baseline` where a run has several pairs, whose rows then name
 * their own.
 */
export function comparedArms({ run, comparisons }: Summary): {
  readonly baseline: string;
  readonly candidate: string;
  readonly several: boolean;
} {
  const pairs = new Set(comparisons.map(({ baseline, candidate }) => `${baseline.arm}\n${candidate.arm}`));
  if (pairs.size > 1) return { baseline: 'baseline', candidate: 'candidate', several: true };
  return { baseline: armTitle(run.baselineArm), candidate: armTitle(run.candidateArm), several: false };
}

/** A comparison whose sites bear their titles. */
export function withSiteTitles<T extends Pick<Comparison, 'heterogeneity' | 'workloadKind'>>(
  comparison: T,
  labels: Labels,
): T {
  const { heterogeneity, workloadKind } = comparison;
  if (heterogeneity === undefined) return comparison;
  const title = (id: string): string => labels.workload(id, workloadKind);
  const sites = heterogeneity.sites.map((site) => ({ ...site, workload: title(site.workload) }));
  const { lowest, highest } = heterogeneity;
  return {
    ...comparison,
    heterogeneity: { ...heterogeneity, sites, lowest: title(lowest), highest: title(highest) },
  };
}

/** A trial in words: `Front page, HTTP/3, block 4, Chromium 156, 4G while walking`. */
export function trialTitle(
  trial: Summary['troubles'][number],
  labels: Labels,
  { repetitions }: Pick<Summary['run'], 'repetitions'>,
): string {
  const { workload, arm, blockIndex, client, network } = trial;
  return [
    labels.workload(workload, 'page'),
    armTitle(arm),
    blockName(blockIndex, repetitions),
    labels.client(client),
    labels.shortNetwork(network),
  ].join(', ');
}

/** The names of a summary's things. */
export function labelsOf(summary: Summary): Labels {
  return namesOf(summary);
}
