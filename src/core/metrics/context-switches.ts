import { countedMetric } from './counted-metric.ts';

export const contextSwitches = countedMetric({
  name: 'contextSwitches',
  title: 'context switches',
  isPlural: true,
  meaning: 'How often the client’s threads that lived to the end gave up or lost the CPU.',
  source: 'Linux, proc_pid_status(5)',
  unit: 'switches',
});
