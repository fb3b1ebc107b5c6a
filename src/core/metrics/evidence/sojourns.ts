import type { QueueCounts } from '../../model/link-queue.ts';
import type { QueueInput } from '../metric-inputs.ts';

/** A time (ms), and how often it was met. */
interface Weighed {
  readonly ms: number;
  readonly weight: number;
}

const usPerMs = 1000;

/** The middle of each step that was counted; of a queue that met no packet, no wait at all. */
function waitsOf({ sojourns }: QueueCounts): readonly Weighed[] {
  if (sojourns.length === 0) return [{ ms: 0, weight: 1 }];
  const all = sojourns.reduce((sum, [, , count]) => sum + count, 0);
  // Within the first step, most packets did not wait.
  return sojourns.map(([from, to, count]) => ({
    ms: from === 0 ? 0 : (from + to) / 2 / usPerMs,
    weight: count / all,
  }));
}

/**
 * Round trips (ms) that packets made which waited in both queues of a link, the shortest first. How long one waits says nothing of how
 * long its answer does: each wait one way is met with each the other way, as often as both were counted.
 */
function roundTripsUnderLoad({ roundTripMs, up, down }: QueueInput): readonly Weighed[] {
  const back = waitsOf(down);
  return waitsOf(up)
    .flatMap((there) =>
      back.map(({ ms, weight }) => ({ ms: roundTripMs + there.ms + ms, weight: there.weight * weight })),
    )
    .toSorted((a, b) => a.ms - b.ms);
}

/** The round trip (ms) that this share of them does not exceed. */
export function loadedRtt(queue: QueueInput, share: number): number | undefined {
  const times = roundTripsUnderLoad(queue);
  let sum = 0;
  for (const { ms, weight } of times) {
    sum += weight;
    // Weights are shares, whose sum may fall short of 1 by rounding.
    if (sum >= share - 1e-9) return ms;
  }
  return times.at(-1)?.ms;
}

/** Their mean, ms. */
export function meanLoadedRtt(queue: QueueInput): number {
  return roundTripsUnderLoad(queue).reduce((sum, { ms, weight }) => sum + ms * weight, 0);
}
