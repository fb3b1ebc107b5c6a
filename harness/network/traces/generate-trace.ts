import type { TraceSource } from '../../../src/model/network-spec.ts';
import { seededRandom } from '../../../src/model/seeded-random.ts';
import type { Trace } from './trace.ts';

type GeneratedSource = Extract<TraceSource, { format: 'generated' }>;

export function generateTrace(source: GeneratedSource): Trace {
  const random = seededRandom(source.seed);
  const steps = Array.from({ length: source.durationSeconds }, (_, second) => ({
    startMs: second * 1000,
    mbps: 20 * (0.5 + random.next()) * source.scale,
  }));
  return { kind: 'steps', steps, lengthMs: source.durationSeconds * 1000 };
}
