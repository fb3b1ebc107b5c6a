// Factors use this file, and pages of reports use these: it brings no schema library along.

/**
 * What decides which packet leaves a queue next, and which is dropped: drop-tail (the last that came, when it is full), CoDel
 * (RFC 8289), FQ-CoDel (RFC 8290) or the dual-queue coupled AQM (RFC 9332).
 */
export const queueKinds = ['droptail', 'codel', 'fq-codel', 'dualpi2'] as const;
export type QueueKind = (typeof queueKinds)[number];

export const queueTitles: Readonly<Record<QueueKind, string>> = {
  droptail: 'queue',
  codel: 'CoDel queue',
  'fq-codel': 'FQ-CoDel queue',
  dualpi2: 'DualPI2 queue',
};

/** Whether packets wait for anything in this direction of a link. */
export function hasQueue({
  rateMbps,
  trace,
}: {
  readonly rateMbps: number | null;
  readonly trace?: unknown;
}): boolean {
  return rateMbps !== null || trace !== undefined;
}

/** Whether more than its end decides what the queue drops. */
export function isManaged({ queue = 'droptail' }: { readonly queue?: QueueKind | undefined }): boolean {
  return queue !== 'droptail';
}
