import { loadavg } from 'node:os';
import type { Probe } from '../../../harness/probes/probe.ts';

export const added: Probe = {
  id: 'added-probe',
  title: 'the load of the machine at the end',
  recorded: 'asked',
  inTimed: true,
  setup: () => {
    let load = 0;
    return {
      stop: () => {
        [load = 0] = loadavg();
      },
      teardown: () => ({ counters: { addedLoad: load } }),
    };
  },
};
