import { metricDefinition } from '../../core/metrics/registry.ts';
import { H2h3Error } from '../../core/model/errors.ts';

/**
 * The margin of each of these metrics where one share is given for all: nothing without one.
 *
 * @param margin a share, 0.03 for 3 %
 * @throws H2h3Error `usage` for a metric that is judged by a difference in its unit, of which no share can be told
 */
export function shareMargins(metrics: readonly string[], margin: number | undefined): Record<string, number> {
  if (margin === undefined) return {};
  const byDifference = metrics.find((metric) => metricDefinition(metric)?.form === 'difference');
  if (byDifference !== undefined) {
    const { unit = '', margin: usual = 0 } = metricDefinition(byDifference) ?? {};
    throw new H2h3Error(
      'usage',
      `a margin of ${Number((margin * 100).toPrecision(3))} % is a share, and ${byDifference} is judged by a difference`,
      {
        context: { expected: `a difference${unit === '' ? '' : ` in ${unit}`}, such as ${usual}` },
        next: `Leave --margin out, or say it in a file: --margins FILE with the line "${byDifference}: ${usual}".`,
      },
    );
  }
  return Object.fromEntries(metrics.map((metric) => [metric, margin]));
}
