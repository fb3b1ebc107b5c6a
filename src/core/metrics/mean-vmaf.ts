import { playedVmaf } from './evidence/picture-quality.ts';
import type { Metric } from './metric.ts';

export const meanVmaf: Metric = {
  name: 'meanVmaf',
  title: 'mean VMAF',
  meaning: 'Picture quality of what was played, 0 to 100, on a 1080p screen.',
  source: 'Li et al. 2016 (VMAF)',
  unit: '',
  form: 'difference',
  // A third of the six points that half of the viewers notice.
  margin: 2,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    video: ({ played, vmaf }) => (vmaf === undefined ? null : playedVmaf(played, vmaf)),
  },
};
