import { factorsOfLabel } from '../../src/model/factor.ts';
import { namesOf } from '../../src/model/names.ts';
import type { Names } from '../../src/model/names.ts';
import type { Summary } from '../../src/model/summary.ts';
import type { WorkloadKind } from '../../src/model/workload.ts';

/** Turns the ids of a summary into the names that people know. */
export type Labels = Names;

export const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Web pages',
  video: 'Video streaming',
  download: 'Downloads',
};

const protocolTitles: Readonly<Record<string, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: 'automatic protocol',
};

/** `h3` is HTTP/3, `h2#2` is HTTP/2 (2nd arm), `chromium@148:h3` is chromium@148 over HTTP/3. */
export function armTitle(label: string): string {
  const { client, protocol, ...others } = factorsOfLabel(label);
  if (protocol === undefined) return label;
  const title = protocolTitles[protocol] ?? protocol;
  const settings = Object.entries(others).map(([name, value]) => `, ${name} ${value}`);
  const named = (client === undefined ? title : `${client} over ${title}`) + settings.join('');
  const repeat = /#(\d+)$/.exec(label)?.[1];
  return repeat === undefined ? named : `${named} (arm ${repeat})`;
}

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

/** The names of a summary's things. */
export function labelsOf(summary: Summary): Labels {
  return namesOf(summary);
}
