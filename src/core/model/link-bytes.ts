import { numericMetric } from './metrics.ts';
import type { TrialRecord } from './record.ts';

/** What came to the client's link of a trial's own traffic, by direction and transport; packets that the link then lost included. */
const counted = ['emulatorUpTcpBytes', 'emulatorUpUdpBytes', 'emulatorDownTcpBytes', 'emulatorDownUdpBytes'];

/**
 * Bytes that a trial's own client and server gave to its link, both ways; what another client of the link loads is not counted.
 * Where nothing counts a link, those of its objects. 0 for a trial that was not run.
 */
export function linkBytes({ counters = {}, metrics }: Pick<TrialRecord, 'counters' | 'metrics'>): number {
  const bytes = counted.flatMap((name) => counters[name] ?? []);
  if (bytes.length === 0) return numericMetric(metrics, 'wireBytes') ?? 0;
  return bytes.reduce((sum, each) => sum + each, 0);
}
