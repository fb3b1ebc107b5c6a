import { countedMetric } from './counted-metric.ts';

export const contextSwitches = countedMetric({
  name: 'contextSwitches',
  title: 'context switches',
  meaning: 'How often the client’s threads gave up the CPU or lost it, of those that lived to the end.',
  source: 'Linux, proc_pid_status(5)',
  unit: 'switches',
});
