import { evaluate } from '../../core/metrics/evaluate.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { DerivedPart } from './derived-part.ts';

/** How the client chose between both versions of IP; nothing where it had no choice, or no link of ours counted its flows. */
export function raceMetrics({
  testbed,
  linkFlows,
  serverLog,
}: Pick<RawTrial, 'testbed' | 'linkFlows' | 'serverLog'>): DerivedPart {
  if (testbed?.links[0]?.family !== 'both' || linkFlows === undefined) return { metrics: {}, warnings: [] };
  const [first] = (serverLog ?? []).toSorted((a, b) => a.startEpochMs - b.startEpochMs);
  const carrier = linkFlows.find(({ clientPort }) => String(clientPort) === first?.connection);
  // The resolver answers at a port of its own.
  const attempts = linkFlows.filter(({ serverPort }) => serverPort === carrier?.serverPort);
  const firstMs = (version: 4 | 6): number | undefined =>
    attempts
      .filter(({ family }) => family === version)
      .map(({ firstMs: ms = Infinity }) => ms)
      .toSorted((a, b) => a - b)[0];
  const connectFamily = carrier?.family ?? null;
  return {
    metrics: { ...evaluate('race', { firstMs: [firstMs(4), firstMs(6)] }), connectFamily },
    warnings: connectFamily === null ? ['connectFamily: the server names no connection of its requests'] : [],
  };
}
