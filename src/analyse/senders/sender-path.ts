/**
 * The path on which senders are measured, and what happens on it. Its queue holds one bandwidth-delay product, so that a window
 * of twice as much overflows it. The file is read for 1.5 s before the disturbance, and long enough after it to be back at
 * its rate.
 */
export const senderPath = {
  rateMbps: 20,
  roundTripMs: 40,
  queueBytes: 100_000,
  /** Of packets towards the client, where loss is measured: so much that a file of 1 MB soon meets the first. */
  lossPercent: 2,
  /** Below half a percent an RFC allows more than the path's rate. */
  lessLossPercent: 0.5,
  moreLossPercent: 5,
  disturbedFromMs: 1500,
  burst: { lossPercent: 30, forMs: 2000 },
  /** It begins in slow start or soon after, and no file of 2.5 MB is whole by then. */
  outage: { forMs: 3000, fromMs: 1000 },
  reorderPercent: 2,
  moreReorderPercent: 5,
  /** Of an answer whose tail is lost; less would be lost in the midst of it. */
  tailAfterBytes: 90_000,
  /** So long that a server whose certificate it is must wait for the client's address to be proven. */
  certificateKb: 16,
  restSeconds: 10,
  /** Of an answer that is not read: Chromium's window holds 6 MiB of it, which this rate brings in a second. */
  unread: { megabytes: 10, rateMbps: 100, queueBytes: 500_000 },
  /** Less than that comes of both answers where the client has stopped to take more of the one; otherwise the path carries more. */
  heldMegabytes: 9.5,
} as const;

/** Of the path by itself. */
export const senderNetwork = 'sender-path';

/** What happens on the path while a file is read. */
export const disturbances = [
  'burst',
  'outage',
  'loss',
  'cubic',
  'bbr',
  'reordering',
  'more-reordering',
  'less-loss',
  'more-loss',
  'one-lost',
  'three-lost',
  'tail-lost',
  'first-lost',
  'second-lost',
  'third-lost',
  'certificate',
  'marks',
  'upload',
  'rest',
  'unread',
] as const;
export type Disturbance = (typeof disturbances)[number];

const { burst, outage, disturbedFromMs, tailAfterBytes, certificateKb } = senderPath;

/** The factors that bring each of them about; of `loss` the path has it. */
export const disturbingFactors: Readonly<Record<Disturbance, Readonly<Record<string, string>>>> = {
  burst: { lossburst: `${burst.lossPercent}%/${burst.forMs / 1000}s@${disturbedFromMs}ms` },
  outage: { outage: `${outage.forMs / 1000}s@${outage.fromMs}ms` },
  cubic: { crosstraffic: 'download@cubic' },
  bbr: { crosstraffic: 'download@bbr' },
  reordering: { reorder: `${senderPath.reorderPercent}%` },
  'more-reordering': { reorder: `${senderPath.moreReorderPercent}%` },
  'less-loss': { fault: `loss=+${senderPath.lessLossPercent}%` },
  'more-loss': { fault: `loss=+${senderPath.moreLossPercent}%` },
  'one-lost': { lostpackets: `1@${disturbedFromMs}ms` },
  'three-lost': { lostpackets: `3@${disturbedFromMs}ms` },
  'tail-lost': { lostpackets: `tail@${tailAfterBytes / 1000}kb` },
  'first-lost': { lostpackets: '1ofeach' },
  'second-lost': { lostpackets: '2ofeach' },
  'third-lost': { lostpackets: '3ofeach' },
  certificate: { certificate: `${certificateKb}kb` },
  marks: { queue: 'codel', ecn: 'on' },
  // Of these the link is as it is: what is loaded tells them apart.
  upload: {},
  rest: {},
  unread: {},
  loss: {},
};

/** Of a server that is not ours the link can only be made as it is to be: the network on which each of them happens. */
export const networkOf = (disturbance: Disturbance): string => `${senderNetwork}-${disturbance}`;

/** Which of them a trial met, by its factors and by what it loads. */
export function disturbanceOf({
  factors,
  workload = '',
}: {
  readonly factors: Readonly<Record<string, string | undefined>>;
  readonly workload?: string | undefined;
}): Disturbance {
  if (workload.startsWith('upload-')) return 'upload';
  if (workload.includes('-rest')) return 'rest';
  if (workload.includes('-unread')) return 'unread';
  const onNetwork = disturbances.find((name) => networkOf(name) === factors.network);
  if (onNetwork !== undefined) return onNetwork;
  const met = disturbances.find((name) => {
    const wanted = Object.entries(disturbingFactors[name]);
    return wanted.length > 0 && wanted.every(([factor, value]) => factors[factor] === value);
  });
  return met ?? 'loss';
}
