import { playedVmaf } from './evidence/picture-quality.ts';
import type { Metric } from './metric.ts';

export const meanVmaf: Metric = {
  name: 'meanVmaf',
  title: 'mean VMAF',
  meaning: 'Picture quality of what was played, 0 to 100, by the VMAF of each segment on a 1080p screen.',
  source: 'Li et al., Toward a Practical Perceptual Video Quality Metric, 2016',
  unit: '',
  form: 'difference',
  // A third of the six points that half of the viewers notice.
  margin: 2,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ played, vmaf }) => (vmaf === undefined ? null : playedVmaf(played, vmaf)),
  },
};
