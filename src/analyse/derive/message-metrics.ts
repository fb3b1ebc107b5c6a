import type { MessageSession } from '../../core/model/session.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { messageTimes } from '../../core/metrics/evidence/messages.ts';
import type { DerivedPart } from './derived-part.ts';

/** The times of the messages that a page exchanged; none where it could not exchange any. */
export function messageMetrics(session: MessageSession): DerivedPart {
  if (session.sentMs.length === 0) return { metrics: {}, warnings: [] };
  const metrics = evaluate('messages', { session, times: messageTimes(session) });
  return { metrics: { ...metrics, messagesSent: session.sentMs.length }, warnings: [] };
}
