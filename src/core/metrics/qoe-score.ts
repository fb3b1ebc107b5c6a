import { qoeScore as qoeScoreOf } from './evidence/qoe.ts';
import type { Metric } from './metric.ts';

export const qoeScore: Metric = {
  name: 'qoeScore',
  title: 'QoE score',
  meaning: 'Bitrate utility less penalties for stalls and switches, linear form of Pensieve.',
  source: 'Mao et al. 2017 (Pensieve), §5.1',
  unit: '',
  form: 'ratio',
  margin: 0.02,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    video: ({ played, stalls, qoe }) =>
      qoeScoreOf(
        played.map(({ bitrateKbps }) => bitrateKbps),
        stalls.network.totalMs,
        qoe,
      ),
  },
};
