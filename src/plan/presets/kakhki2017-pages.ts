import { kakhki2017 } from './kakhki2017.ts';
import type { Preset } from './preset.ts';

const common = {
  primary: { page: 'pltMs' },
  pooled: { page: true },
  published: [
    {
      ...kakhki2017,
      experiment: 'time to load all objects of a page, from the HAR',
      metric: 'pltMs',
      figure: 'see the study: QUIC ahead in most cells, not quoted here',
      source: 'sections 3 and 4',
    },
  ],
};
const scales = {
  quick: {
    ...common,
    sites: ['page-tabler-index', 'page-agency', 'page-admin-lte', 'replica-en.wikipedia.org'],
    networks: ['kakhki-10mbit'],
    repetitions: 8,
  },
  standard: {
    ...common,
    sites: ['default'],
    networks: ['kakhki-5mbit', 'kakhki-10mbit', 'kakhki-50mbit', 'kakhki-100mbit'],
    repetitions: 8,
  },
  paper: {
    ...common,
    sites: ['all'],
    networks: ['kakhki-5mbit', 'kakhki-10mbit', 'kakhki-50mbit', 'kakhki-100mbit'],
    repetitions: 10,
  },
};

/** Sections 3 and 4. */
export const kakhkiPagesPreset: Preset = {
  id: 'kakhki2017-pages',
  title: 'Page load time at 36 ms round trip, protocol of each object checked (Kakhki et al. 2017)',
  plan: scales.quick,
  scales,
};
