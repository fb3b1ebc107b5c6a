/**
 * The path on which senders are measured, and what happens on it. Its queue holds one bandwidth-delay product, so that a window
 * of twice as much overflows it. The file is read for 1.5 s before the disturbance, and long enough after it to be back at
 * its rate.
 */
export const senderPath = {
  rateMbps: 20,
  roundTripMs: 40,
  queueBytes: 100_000,
  /** Of packets towards the client, where loss is measured: so much that a file of 2 MB soon meets the first. */
  lossPercent: 2,
  disturbedFromMs: 1500,
  burst: { lossPercent: 30, forMs: 2000 },
  outage: { forMs: 3000 },
  reorderPercent: 2,
} as const;

/** What happens on the path while a file is read. */
export const disturbances = ['burst', 'outage', 'loss', 'cubic', 'bbr', 'reordering'] as const;
export type Disturbance = (typeof disturbances)[number];

const { burst, outage, disturbedFromMs, reorderPercent } = senderPath;

/** The factors that bring each of them about; random loss is the path's own. */
export const disturbingFactors: Readonly<Record<Disturbance, Readonly<Record<string, string>>>> = {
  burst: { lossburst: `${burst.lossPercent}%/${burst.forMs / 1000}s@${disturbedFromMs}ms` },
  outage: { outage: `${outage.forMs / 1000}s@${disturbedFromMs}ms` },
  cubic: { crosstraffic: 'download@cubic' },
  bbr: { crosstraffic: 'download@bbr' },
  reordering: { reorder: `${reorderPercent}%` },
  loss: {},
};

/** Which of them a trial met, by its factors. */
export function disturbanceOf({
  factors,
}: {
  readonly factors: Readonly<Record<string, string | undefined>>;
}): Disturbance {
  const met = disturbances.find((name) => {
    const wanted = Object.entries(disturbingFactors[name]);
    return wanted.length > 0 && wanted.every(([factor, value]) => factors[factor] === value);
  });
  return met ?? 'loss';
}
