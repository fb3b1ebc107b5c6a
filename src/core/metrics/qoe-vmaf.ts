import { vmafQoe } from './evidence/picture-quality.ts';
import type { Metric } from './metric.ts';

export const qoeVmaf: Metric = {
  name: 'qoeVmaf',
  title: 'QoE score by VMAF',
  meaning: 'Mean VMAF of the chunks less penalties for stalls and changes, linear form of Yin et al.',
  source: 'Yin et al. 2015, §3.2',
  unit: '',
  form: 'difference',
  margin: 2,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    video: ({ played, stalls, vmaf }) =>
      vmaf === undefined ? null : vmafQoe(played, vmaf, stalls.network.totalMs),
  },
};
