import { evaluate } from '../../core/metrics/evaluate.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { DerivedPart } from './derived-part.ts';

/** What the client's packets met in the queues of its link; nothing where these were not told of. */
export function queueMetrics({ linkQueue, testbed }: RawTrial): DerivedPart {
  const link = testbed?.links[0];
  if (linkQueue === undefined || link === undefined) return { metrics: {}, warnings: [] };
  const { up, down } = linkQueue;
  const input = { roundTripMs: link.roundTripMs, up: up.measured, down: down.measured };
  return { metrics: evaluate('queue', input), warnings: [] };
}
