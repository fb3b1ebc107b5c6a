import { heldMessages, messageTimes } from '../../core/metrics/evidence/messages.ts';
import type { TrialMetrics } from '../../core/model/metrics.ts';
import type { MessageSession } from '../../core/model/session.ts';

/** Hundredths of a millisecond are finer than any browser's clock. */
const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** Each message for the report's time line, in the order of sending; nothing where none was sent. */
export function messageSeries(session: MessageSession): TrialMetrics {
  const { delaysMs } = messageTimes(session);
  if (delaysMs.length === 0) return {};
  const held = heldMessages(session);
  const series: TrialMetrics = {};
  series.messages = delaysMs.map((delayMs, index) => [
    rounded((session.sentMs[index] ?? 0) - session.firstDueMs),
    delayMs === null ? null : rounded(delayMs),
    held[index] === 'behind',
  ]);
  return series;
}
