import type { Comparison } from '../../core/model/summary.ts';
import { quantity } from '../figures/figures.ts';

/** From this share on, what the app took differently could be taken for the protocols' difference. */
const telling = 0.5;

const comparedPlace = ({ workload, client, network, server, baseline, candidate }: Comparison): string =>
  [workload, client, network, server, baseline.arm, candidate.arm].join('\u0000');

/** By how much the candidate's median is more, in the metric's unit; undefined without one. */
function apartOf({ baseline, candidate }: Comparison): number | undefined {
  return baseline.median === null || candidate.median === null
    ? undefined
    : candidate.median - baseline.median;
}

/** How much of each load was the app's own thinking, so that nobody takes its noise for the protocols'. */
export function appShares(comparisons: readonly Comparison[]): string[] {
  const loads = new Map(
    comparisons
      .filter(({ primary, unit }) => primary && unit === 'ms')
      .map((each) => [comparedPlace(each), each]),
  );
  return comparisons
    .filter(
      ({ metric, instrumentation, workload }) =>
        metric === 'appThinkMs' && instrumentation === 'uninstrumented' && workload !== 'pooled',
    )
    .flatMap((thought) => shareOf(thought, loads.get(comparedPlace(thought))));
}

function shareOf(thought: Comparison, load: Comparison | undefined): string[] {
  const { baseline, candidate, server, network, workload, unit } = thought;
  const apart = apartOf(thought);
  if (apart === undefined || baseline.median === null || candidate.median === null) return [];
  const times = `${quantity(baseline.median, unit)} for ${baseline.arm}, ${quantity(candidate.median, unit)} for ${candidate.arm}`;
  const said = `the app itself took ${times} of a load, in the median (${workload}, ${server}, ${network})`;
  const whole = load === undefined ? undefined : apartOf(load);
  // Of two builds the app's own time is what was asked.
  if (baseline.factors?.['app'] !== candidate.factors?.['app']) return [said];
  if (whole === undefined || apart * whole <= 0 || Math.abs(apart) < telling * Math.abs(whole)) return [said];
  return [
    `${said}. Much of the difference may be the app’s: loads differ by ${quantity(Math.abs(whole), unit)}, the app by ${quantity(Math.abs(apart), unit)}. More blocks even it out`,
  ];
}
