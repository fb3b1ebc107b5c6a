import type { ActivityInterval } from '../../core/model/raw-trial.ts';

/** Above this a thread, a CPU or a link counts as full: readings are a tenth of a second apart and edges blur. */
const fullShare = 0.85;
const bitsPerByte = 8;

/** What held a transfer back, ms; together the time of the transfer. */
export interface TransferStages {
  /** The busiest thread of the client's networking process had no time left, or a quota left it none. */
  readonly receiverCpu: number;
  /** The server had no time left. */
  readonly senderCpu: number;
  /** The link towards the client carried all it can. */
  readonly linkFull: number;
  /** None of these: the server waited for its congestion window, for flow control or for what was lost. */
  readonly windowWait: number;
  /** All of it, where nothing was recorded that divides it. */
  readonly transfer: number;
}

/**
 * Divides the time of a transfer by what was full in each interval. A full link is looked for first, then the receiver,
 * then the sender: where a link is full, a faster end would change nothing.
 */
export function transferStages(
  intervals: readonly ActivityInterval[],
  startEpochMs: number,
  transferMs: number,
  rateMbps: number | undefined,
): Record<string, number> {
  const stages: Record<keyof TransferStages, number> = {
    receiverCpu: 0,
    senderCpu: 0,
    linkFull: 0,
    windowWait: 0,
    transfer: transferMs,
  };
  const endEpochMs = startEpochMs + transferMs;
  for (const interval of intervals) {
    const fromMs = Math.max(startEpochMs, interval.startEpochMs);
    const ms = Math.min(endEpochMs, interval.startEpochMs + interval.durationMs) - fromMs;
    if (ms <= 0) continue;
    stages[limitOf(interval, rateMbps)] += ms;
    stages.transfer -= ms;
  }
  // Sums of readings miss the whole by roundings of a millionth.
  return { ...stages, transfer: Math.max(0, Math.round(stages.transfer * 1000) / 1000) };
}

function limitOf(interval: ActivityInterval, rateMbps: number | undefined): keyof TransferStages {
  const { receiver, receiverWithheld, sender, receivedBytes, durationMs } = interval;
  const mbps = (receivedBytes * bitsPerByte) / durationMs / 1000;
  if (rateMbps !== undefined && mbps >= rateMbps * fullShare) return 'linkFull';
  // A thread without work leaves its quota alone, so what is withheld is time that it would have run.
  if (receiver + receiverWithheld >= fullShare) return 'receiverCpu';
  return sender >= fullShare ? 'senderCpu' : 'windowWait';
}
