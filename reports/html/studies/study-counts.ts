import { maxHeadlineCharacters } from '../../../src/core/model/first-screen.ts';
import type { PublishedResult } from '../../../src/core/model/published.ts';
import type { Studies } from '../../../src/core/model/studies.ts';
import { plural } from '../../format/numbers.ts';

/**
 * How the published results with a direction came out here. Each is in one count of these: `direction`, `part`, `pooled`,
 * `oneClient`, `opposite`, `open`, `absent`, `afterTheFact`, `notMeasured`. A claim that two experiments share counts once.
 */
export interface StudyCounts {
  readonly all: number;
  /** The direction agrees at all conditions of the largest scale, for each page, with as many clients as are claimed. */
  readonly direction: number;
  /** Of these: the size agrees too, of so many whose sizes can be compared. */
  readonly size: number;
  readonly sizeOf: number;
  /** Of these: the direction agrees in every campaign, of so many with two campaigns or more. */
  readonly held: number;
  readonly heldOf: number;
  /** The direction agrees, at a part of the conditions; else over a mean of pages; else with one client of several. */
  readonly part: number;
  readonly pooled: number;
  readonly oneClient: number;
  readonly opposite: number;
  readonly open: number;
  readonly absent: number;
  readonly afterTheFact: number;
  readonly notMeasured: number;
}

export type Standing = Exclude<keyof StudyCounts, 'all' | 'size' | 'sizeOf' | 'held' | 'heldOf'>;

/** In which count a claim is. */
export function standingOf(claim: PublishedResult): Standing {
  const { agreement, afterTheFact, part, pool, oneClient } = claim;
  if (agreement === 'not measured') return 'notMeasured';
  if (afterTheFact === true) return 'afterTheFact';
  if (agreement === 'precondition absent') return 'absent';
  if (agreement === 'other') return 'opposite';
  if (agreement !== 'same') return 'open';
  if (part !== undefined) return 'part';
  if (pool === true) return 'pooled';
  return oneClient === true ? 'oneClient' : 'direction';
}

type Counted = Pick<Studies, 'experiments'>;

/** Research after the four studies is not counted: no text of it is at hand. */
function claimsOf({ experiments }: Counted): PublishedResult[] {
  return experiments
    .filter(({ question }) => question === undefined)
    .flatMap(({ results }) => results)
    .filter(({ expects, countedIn }) => expects !== undefined && countedIn === undefined);
}

export function studyCounts(studies: Counted): StudyCounts {
  const claims = claimsOf(studies);
  const standing = (wanted: Standing): PublishedResult[] =>
    claims.filter((claim) => standingOf(claim) === wanted);
  const direction = standing('direction');
  const sized = direction.filter(({ sizeAgrees }) => typeof sizeAgrees === 'boolean');
  const repeated = direction.filter(({ campaigns = [] }) => campaigns.length > 1);
  return {
    all: claims.length,
    direction: direction.length,
    size: sized.filter(({ sizeAgrees }) => sizeAgrees === true).length,
    sizeOf: sized.length,
    held: repeated.filter(({ campaigns = [] }) => campaigns.every(({ agreement }) => agreement === 'same'))
      .length,
    heldOf: repeated.length,
    part: standing('part').length,
    pooled: standing('pooled').length,
    oneClient: standing('oneClient').length,
    opposite: standing('opposite').length,
    open: standing('open').length,
    absent: standing('absent').length,
    afterTheFact: standing('afterTheFact').length,
    notMeasured: standing('notMeasured').length,
  };
}

/** The three numbers in one sentence. */
export function studiesHeadline(counts: StudyCounts): string {
  const { all, direction, size, sizeOf, held, heldOf, notMeasured } = counts;
  if (all === notMeasured) return 'No published finding has been measured here yet.';
  const numbers = `${direction} ${direction === 1 ? 'agrees' : 'agree'} in direction, ${size} of ${sizeOf} in size, ${held} of ${heldOf} in every campaign.`;
  const whole = (what: string): string => `Of ${plural(all, what)}: ${numbers}`;
  const long = whole('published finding');
  return long.length <= maxHeadlineCharacters ? long : whole('finding');
}

/** The three numbers, as a line of a study or of all, each with what it is of. */
export function threeNumbers({ all, direction, size, sizeOf, held, heldOf }: StudyCounts): string {
  return `direction agrees ${direction} of ${all} · size agrees ${size} of ${sizeOf} comparable · held in every campaign ${held} of ${heldOf} repeated`;
}

/** What the three numbers leave out; empty where nothing. */
export function apartWords(counts: StudyCounts): string {
  const { part, pooled, oneClient, opposite, open, absent, afterTheFact, notMeasured } = counts;
  const named: readonly (readonly [number, string])[] = [
    [part, 'agree at a part of the conditions'],
    [pooled, 'agree over pooled pages'],
    [oneClient, 'agree with one client of several'],
    [opposite, 'contradicted'],
    [open, 'not decided'],
    [absent, 'without the precondition'],
    [afterTheFact, 'judged after the fact'],
    [notMeasured, 'not measured'],
  ];
  return named
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}

/** Scale, revision and how many experiments ran, those that stand out named. */
export function runsInWords({ experiments, revision }: Studies): string {
  const those = experiments.filter(({ question }) => question === undefined);
  const runs = those.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return `${plural(those.length, 'experiment')}, none run here`;
  const scales = [...new Set(runs.map(({ scale }) => scale ?? 'no'))].join(', ');
  const other = runs.filter((run) => run.revision !== revision).length;
  const recorded = runs.filter(({ timed }) => !timed).length;
  const busy = runs.filter(({ disturbances }) => disturbances.length > 0).length;
  const older = runs.filter(({ olderRule }) => olderRule === true).length;
  const once = those.filter(
    ({ campaigns = [] }) => campaigns.filter(({ why }) => why === undefined).length === 1,
  );
  return [
    `${runs.length} of ${plural(those.length, 'experiment')} run at ${scales} scale`,
    `revision ${revision ?? 'not known'}`,
    ...(other > 0 ? [`${other} by other revisions`] : []),
    ...(recorded > 0 ? [`${recorded} with the browser recorded`] : []),
    ...(busy > 0 ? [`${busy} on a busy machine`] : []),
    ...(once.length > 0 ? [`${once.length} with one campaign alone`] : []),
    ...(older > 0 ? [`the rule is newer than ${older} of the runs`] : []),
  ].join(', ');
}
