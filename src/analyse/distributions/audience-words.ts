import { leftOutShare, type AudienceAnswer, type AudienceResult } from '../../core/model/audience.ts';
import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { counted, percent } from '../figures/figures.ts';
import { smallestIntervalCount } from '../statistics/hodges-lehmann.ts';

const minShown = 0.005;

/** Where page views lose, by name; more are counted. */
const maxPlaces = 3;

/** What single users get, of answers that can tell: whole sentences. */
export function noticeableSentences(answers: readonly AudienceAnswer[]): string[] {
  const told = answers.filter(({ noticeable }) => noticeable !== null);
  return told.flatMap((answer) => {
    const { noticeable, workloadKind, baselineArm, candidateArm } = answer;
    if (noticeable === null) return [];
    const what = workloadKind === 'page' ? 'page views' : 'loads';
    const arms =
      told.length > 1 ? ` (${armNameOfLabel(candidateArm)} against ${armNameOfLabel(baselineArm)})` : '';
    const { gaining, losing, thresholdMs } = noticeable;
    const span = ([certain, possible]: readonly [number, number]): string =>
      `certain: ${percent(certain)}, possible: ${percent(possible)}`;
    const losers = placeNames(answer, losing.places ?? []);
    return [
      `${percent(gaining.share)} of ${what} gain ${thresholdMs} ms or more on average (${span(gaining.interval)})${arms}.`,
      `${percent(losing.share)} lose as much (${span(losing.interval)})${losers === '' ? '' : `: ${losers}`}.`,
    ];
  });
}

const hasSeveralWorkloads = ({ segments }: Pick<AudienceAnswer, 'segments'>): boolean =>
  segments.some(({ workloads }) => workloads.length > 1);

/** `Swagger UI at 40 ms at 20 Mbit/s`; of one workload the segments alone. */
function placeNames(
  answer: Pick<AudienceAnswer, 'segments'>,
  places: readonly { readonly workload: string; readonly network: string }[],
): string {
  const names = places.flatMap(({ workload, network }) => {
    const segment = answer.segments.find((one) => one.network === network);
    const page = segment?.workloads.find((one) => one.workload === workload);
    if (segment === undefined || page === undefined) return [];
    return [hasSeveralWorkloads(answer) ? `${page.title} over ${segment.title}` : segment.title];
  });
  const rest = names.length - maxPlaces;
  return [...names.slice(0, maxPlaces), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** What the answers rest on: at which level they hold, whose page views are not in them, and how near the others are to what was measured. */
export function coverageSentences(result: Pick<AudienceResult, 'leftOut' | 'spread' | 'answers'>): string[] {
  const { leftOut, spread, answers } = result;
  const share = leftOutShare(result);
  const told = leftOut.filter((part) => part.share >= minShown);
  const measured = Math.min(1, ...answers.map((answer) => answer.measuredShare));
  const lost = 1 - share - measured;
  const levels = [
    ...new Set(
      answers.flatMap(({ noticeable, level, isPrimary }) =>
        noticeable === null || !isPrimary ? [] : [level],
      ),
    ),
  ];
  return [
    ...levels.map(
      (level) => `What is certain and possible holds at ${percent(level)} for all parts together.`,
    ),
    ...(answers.some(hasSeveralWorkloads) ? ['The pages of a segment count alike.'] : []),
    ...(share < minShown
      ? []
      : [
          `${percent(share)} of the audience is left out: ${told.map((part) => `${part.title} (${percent(part.share)})`).join(', ')}.`,
        ]),
    ...(lost < minShown ? [] : [`${percent(lost)} has no valid trials in both arms.`]),
    ...(spread.rttPercent < 1 && spread.ratePercent < 1
      ? []
      : [
          `Within a segment round trips differ by ${percent(spread.rttPercent / 100)} and rates by ${percent(spread.ratePercent / 100)} (root mean square).`,
        ]),
  ];
}

/** Of how many loads quantiles are, and which of them have too few: a sentence. */
export function quantileSentence({ quantiles, loads }: Pick<AudienceAnswer, 'quantiles' | 'loads'>): string {
  const few = quantiles.filter(({ baseline }) => baseline === null);
  const names = few.map(({ quantile, beyond }) => `p${100 * quantile} (${beyond} beyond it)`);
  const isOpen = quantiles.some(({ baseline, difference }) => baseline !== null && difference === null);
  return [
    `${counted(loads, 'load')} of each arm${few.length === 0 ? '' : `, too few for ${names.join(' and ')}`}.`,
    ...(isOpen ? [`A change of quantiles is told from ${smallestIntervalCount} blocks on.`] : []),
  ].join(' ');
}
