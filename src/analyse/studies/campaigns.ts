import type { PublishedComparison, PublishedFigure, PublishedResult } from '../../core/model/published.ts';
import type { StudyRun } from '../../core/model/study-run.ts';
import { minRuns } from '../between-runs/between-run-noise.ts';
import { momentsOf, tInterval } from '../statistics/student-t.ts';
import { claimDigest } from './claim-digest.ts';
import { placeKey } from './published-places.ts';
import { publishedResults } from './published-results.ts';
import { changeText } from './published-words.ts';
import { measuredRun } from './study-run.ts';

const level = 0.95;

type Placed = Pick<PublishedComparison, 'at'>;

const isSamePlace = ({ at: a = {} }: Placed, { at: b = {} }: Placed): boolean => placeKey(a) === placeKey(b);

/**
 * One comparison over campaigns, of which each gives one value: what differs between campaigns is in the interval (t over their
 * estimates, as of a random effect of the campaign). Nothing with fewer than three.
 */
function acrossCampaigns(
  figure: PublishedFigure,
  own: PublishedComparison,
  earlier: readonly PublishedResult[],
): PublishedComparison['acrossCampaigns'] {
  const alike = [
    ...earlier.flatMap(
      ({ ours }) => ours.find((other) => isSamePlace(other, own) && other.form === own.form) ?? [],
    ),
    own,
  ];
  const { form } = own;
  const values = alike.flatMap(({ effect }) =>
    effect === null ? [] : [form === 'ratio' ? Math.log1p(effect) : effect],
  );
  if (values.length < minRuns) return undefined;
  const moments = momentsOf(values);
  const shown = (value: number): number => (form === 'ratio' ? Math.expm1(value) : value);
  const [low, high] = tInterval(moments, level);
  const interval: [number, number] = [shown(low), shown(high)];
  const effect = shown(moments.mean);
  return { campaigns: values.length, effect, interval, text: changeText(figure, { form, effect, interval }) };
}

/** Whether a run had the claim in its plan as it is now. */
const hadClaim = ({ claims = [] }: StudyRun, figure: PublishedFigure): boolean =>
  claims.includes(claimDigest(figure));

/**
 * Results of the newest campaign with what all say together, and whether each claim was there before that run.
 *
 * @param campaigns runs of one scale, the oldest first; the results are of the last
 */
export function withCampaigns(
  results: readonly PublishedResult[],
  published: readonly PublishedFigure[],
  campaigns: readonly StudyRun[],
): PublishedResult[] {
  const newest = campaigns.at(-1);
  if (newest === undefined) return [...results];
  // Names are those of the newest, so that one place has one name.
  const { names } = measuredRun(newest);
  const earlier = campaigns
    .slice(0, -1)
    .map((run) => ({ run, results: publishedResults(published, { ...measuredRun(run), names }) }));
  return results.map((result, index) => {
    const figure = published[index];
    if (figure === undefined) return result;
    const those = earlier.flatMap(({ run, results: own }) => {
      const found = own[index];
      return found === undefined || found.agreement === 'not measured' || !hadClaim(run, figure)
        ? []
        : [{ run, result: found }];
    });
    const isJudged = result.expects !== undefined && result.agreement !== 'not measured';
    return {
      ...result,
      ours: result.ours.map((own) => {
        const all = acrossCampaigns(
          figure,
          own,
          those.map((each) => each.result),
        );
        return all === undefined ? own : { ...own, acrossCampaigns: all };
      }),
      campaigns: [...those, { run: newest, result }].map(
        ({ run: { startedAt, revision }, result: { agreement } }) => ({
          startedAt,
          revision,
          agreement,
        }),
      ),
      ...(isJudged && !hadClaim(newest, figure) && { afterTheFact: true as const }),
    };
  });
}
