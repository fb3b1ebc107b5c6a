import { kakhki2017 } from './kakhki2017.ts';
import type { Preset } from './preset.ts';

/** A fast client and a slow one: the study explains its phones by what the sender does. */
const arms = (percent: number): string[] => ['h3+cpu=100%', `h3+cpu=${percent}%`];
const common = {
  networks: ['kakhki-50mbit'],
  probes: ['qlog'],
  primary: { download: 'applicationLimitedPercent' },
  published: [
    {
      ...kakhki2017,
      experiment: 'states of the QUIC sender and the time in each, from its own log',
      metric: 'applicationLimitedPercent',
      figure:
        'see the study: receivers with little CPU leave the sender application limited, not quoted here',
      expects: 'worse' as const,
      source: 'section 4.2, figure 3',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-10mb'], arms: arms(10), repetitions: 8 },
  standard: {
    ...common,
    workloads: ['download-10mb'],
    arms: arms(10),
    networks: ['kakhki-10mbit', 'kakhki-50mbit', 'kakhki-100mbit'],
    repetitions: 10,
  },
  paper: {
    ...common,
    workloads: ['download-10mb', 'download-100mb'],
    arms: arms(10),
    networks: ['kakhki-10mbit', 'kakhki-50mbit', 'kakhki-100mbit'],
    repetitions: 10,
  },
};

/** Section 4.2. Transitions are in the qlog of each trial; the time in each state in its counters. */
export const kakhkiStatesPreset: Preset = {
  id: 'kakhki2017-states',
  title: 'States of the QUIC sender, fast client against slow (Kakhki et al. 2017)',
  plan: scales.quick,
  scales,
};
