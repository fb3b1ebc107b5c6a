import { evaluate } from '../../core/metrics/evaluate.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { firstCarrier, requestFlows } from './connect-family.ts';
import type { DerivedPart } from './derived-part.ts';

/** How the client chose between both versions of IP; nothing where it had no choice, or no link of ours counted its flows. */
export function raceMetrics(
  raw: Pick<RawTrial, 'testbed' | 'linkFlows' | 'serverLog' | 'resolverPort'>,
): DerivedPart {
  const flows = requestFlows(raw);
  if (raw.testbed?.links[0]?.family !== 'both' || flows === undefined) return { metrics: {}, warnings: [] };
  const [onlyPort, ...otherPorts] = new Set(flows.map(({ serverPort }) => serverPort));
  const port = firstCarrier(raw)?.serverPort ?? (otherPorts.length === 0 ? onlyPort : undefined);
  // Of what an older run asked at the port of its resolver nothing says that it is none of the server's.
  const attempts = flows.filter(({ serverPort }) => serverPort === port);
  const firstMs = (version: 4 | 6): number | undefined =>
    attempts
      .filter(({ family }) => family === version)
      .map(({ firstMs: ms = Infinity }) => ms)
      .toSorted((a, b) => a - b)[0];
  return { metrics: evaluate('race', { firstMs: [firstMs(4), firstMs(6)] }), warnings: [] };
}
