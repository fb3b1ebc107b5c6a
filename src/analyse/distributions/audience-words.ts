import { leftOutShare, type AudienceAnswer, type AudienceResult } from '../../core/model/audience.ts';
import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { counted, percent } from '../figures/figures.ts';

const minShown = 0.005;

/** What single users get, of answers that can tell: whole sentences. */
export function noticeableSentences(answers: readonly AudienceAnswer[]): string[] {
  const told = answers.filter(({ noticeable }) => noticeable !== null);
  return told.flatMap(({ noticeable, workloadKind, baselineArm, candidateArm }) => {
    if (noticeable === null) return [];
    const what = workloadKind === 'page' ? 'page views' : 'loads';
    const arms =
      told.length > 1 ? ` (${armNameOfLabel(candidateArm)} against ${armNameOfLabel(baselineArm)})` : '';
    const { gaining, losing, thresholdMs } = noticeable;
    const span = ([low, high]: readonly [number, number]): string => `${percent(low)} to ${percent(high)}`;
    return [
      `${percent(gaining.share)} of ${what} gain ${thresholdMs} ms or more on average (${span(gaining.interval)})${arms}.`,
      `${percent(losing.share)} lose as much (${span(losing.interval)}).`,
    ];
  });
}

/** Whose page views are not in the answers, and how near the others are to what was measured for them. */
export function coverageSentences(result: Pick<AudienceResult, 'leftOut' | 'spread' | 'answers'>): string[] {
  const { leftOut, spread, answers } = result;
  const share = leftOutShare(result);
  const told = leftOut.filter((part) => part.share >= minShown);
  const measured = Math.min(1, ...answers.map((answer) => answer.measuredShare));
  const lost = 1 - share - measured;
  return [
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
  const few = quantiles.filter(({ difference }) => difference === null);
  const names = few.map(({ quantile, beyond }) => `p${100 * quantile} (${beyond} beyond it)`);
  return `${counted(loads, 'load')} of each arm${few.length === 0 ? '' : `, too few for ${names.join(' and ')}`}.`;
}
