import { maxHeadlineCharacters } from '../../../src/core/model/first-screen.ts';
import type { Agreement, PublishedResult } from '../../../src/core/model/published.ts';
import type { Studies } from '../../../src/core/model/studies.ts';
import { plural } from '../../format/numbers.ts';

/** How the published results with a direction came out here; a claim that two experiments share counts once. */
export interface StudyCounts {
  readonly all: number;
  readonly same: number;
  readonly partly: number;
  readonly opposite: number;
  readonly open: number;
  readonly notMeasured: number;
}

/** Research after the four studies is not counted: no text of it is at hand. */
function claimsOf({ experiments }: Pick<Studies, 'experiments'>): PublishedResult[] {
  return experiments
    .filter(({ question }) => question === undefined)
    .flatMap(({ results }) => results)
    .filter(({ expects, countedIn }) => expects !== undefined && countedIn === undefined);
}

export function studyCounts(studies: Pick<Studies, 'experiments'>): StudyCounts {
  const claims = claimsOf(studies);
  const count = (wanted: Agreement): number => claims.filter(({ agreement }) => agreement === wanted).length;
  return {
    all: claims.length,
    same: count('same'),
    partly: count('partly'),
    opposite: count('other'),
    open: count('undecided'),
    notMeasured: count('not measured'),
  };
}

/** The outcome in one sentence; its counts add up to all. */
export function studiesHeadline({ all, same, partly, opposite, open, notMeasured }: StudyCounts): string {
  if (all === notMeasured) return 'No published finding has been measured here yet.';
  const parts = [
    `${same} as published`,
    ...(partly > 0 ? [`${partly} partly`] : []),
    `${opposite} contradicted`,
    ...(open > 0 ? [`${open} not decided`] : []),
    ...(notMeasured > 0 ? [`${notMeasured} not measured`] : []),
  ];
  const whole = (what: string): string => `Of ${plural(all, what)}: ${parts.join(', ')}.`;
  const long = whole('published finding');
  return long.length <= maxHeadlineCharacters ? long : whole('finding');
}

/** Scale, revision and how many experiments ran, those that stand out named. */
export function runsInWords({ experiments, revision }: Studies): string {
  const those = experiments.filter(({ question }) => question === undefined);
  const runs = those.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return `${plural(those.length, 'experiment')}, none run here`;
  const scales = [...new Set(runs.map(({ scale }) => scale ?? 'no'))].join(', ');
  const other = runs.filter((run) => run.revision !== revision).length;
  const watched = runs.filter(({ timed }) => !timed).length;
  const busy = runs.filter(({ disturbances }) => disturbances.length > 0).length;
  const parts = claimsOf({ experiments }).filter(({ part }) => part !== undefined).length;
  return [
    `${runs.length} of ${plural(those.length, 'experiment')} run at ${scales} scale`,
    `revision ${revision ?? 'not known'}`,
    ...(other > 0 ? [`${other} by other revisions`] : []),
    ...(watched > 0 ? [`${watched} with the browser recorded`] : []),
    ...(busy > 0 ? [`${busy} on a busy machine`] : []),
    ...(parts > 0 ? [`${plural(parts, 'finding')} at a part of the conditions`] : []),
  ].join(', ');
}
