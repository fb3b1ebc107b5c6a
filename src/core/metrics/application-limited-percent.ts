import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const applicationLimitedPercent: Metric = {
  name: 'applicationLimitedPercent',
  title: 'time in which the server waited for more to send',
  meaning:
    'Share of the QUIC connections’ time in which the server called itself application limited: neither window nor loss held it back.',
  source: 'Kakhki et al. 2017, §4.2',
  unit: '%',
  form: 'difference',
  margin: 5,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  needsEvidence: true,
  formulas: {
    counters: (counters) => {
      const total = [
        'quicSlowStartMs',
        'quicCongestionAvoidanceMs',
        'quicRecoveryMs',
        'quicApplicationLimitedMs',
      ].reduce((sum, name) => sum + (finiteOrNull(counters[name]) ?? 0), 0);
      return total === 0
        ? undefined
        : (100 * (finiteOrNull(counters['quicApplicationLimitedMs']) ?? 0)) / total;
    },
  },
};
