import type { LimitShare } from '../../core/model/diagnosis.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { changeOf, type RecordPair } from './paired-change.ts';

type OfTrial = (record: TrialRecord) => number | null;

/** Null where the trial was not recorded: then all of its transfer is in one stage. */
function stage(name: string): OfTrial {
  return ({ metrics: { stagesMs } }) => stagesMs?.[name] ?? null;
}

/** Part of the wait in which the receiver's window or the sender's buffer held TCP back; null where the kernel was not asked. */
function flowControlMs(record: TrialRecord): number | null {
  const limitedMs = record.counters?.['tcpReceiveWindowLimitedMs'] ?? null;
  const waitedMs = stage('windowWait')(record);
  if (limitedMs === null || waitedMs === null) return null;
  return Math.min(waitedMs, limitedMs + (record.counters?.['tcpSendBufferLimitedMs'] ?? 0));
}

/** QUIC keeps its windows to itself: there the two are not told apart. */
function untoldMs(record: TrialRecord): number | null {
  const waitedMs = stage('windowWait')(record);
  return waitedMs === null ? null : waitedMs - (flowControlMs(record) ?? 0);
}

const limits: readonly { readonly id: string; readonly title: string; readonly ms: OfTrial }[] = [
  { id: 'sender', title: 'limited by the server’s CPU', ms: stage('senderCpu') },
  { id: 'network', title: 'limited by the link', ms: stage('linkFull') },
  { id: 'receiver', title: 'limited by the client’s networking process', ms: stage('receiverCpu') },
  {
    id: 'flowControl',
    title: 'limited by flow control: receive window or send buffer (TCP)',
    ms: flowControlMs,
  },
  {
    id: 'congestion',
    title: 'limited by congestion window or loss (QUIC: or flow control)',
    ms: untoldMs,
  },
];

/** The share of its transfer for which each thing held a download back, in both arms; empty where trials were not recorded. */
export function limitShares(blocks: readonly (readonly RecordPair[])[], level: number): LimitShare[] {
  return limits.flatMap(({ id, title, ms }) => {
    const percent: OfTrial = (record) => {
      const transferMs = dividedMs(record);
      // What an arm cannot tell apart has no share of its own.
      const part = ms(record) ?? (id === 'flowControl' ? 0 : null);
      return part === null || transferMs === null ? null : (100 * part) / transferMs;
    };
    const change = changeOf(blocks, percent, level);
    return change === null
      ? []
      : [
          {
            id,
            title,
            baselinePercent: change.beforeMean,
            candidatePercent: change.afterMean,
            interval: [...change.interval] as [number, number],
          },
        ];
  });
}

function dividedMs(record: TrialRecord): number | null {
  const parts = ['senderCpu', 'linkFull', 'receiverCpu', 'windowWait'].map((name) => stage(name)(record));
  const known = parts.filter((part) => part !== null);
  const sum = known.reduce((all, part) => all + part, 0);
  return known.length < parts.length || sum <= 0 ? null : sum;
}
