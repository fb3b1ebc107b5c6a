import type { Preset } from './preset.ts';

/** Second visits: the first has told the browser by Alt-Svc that there is HTTP/3. */
export const fallbackPreset: Preset = {
  id: 'fallback',
  title:
    'Browsers left to themselves on a second visit: which protocol wins, and the wait where UDP is blocked',
  plan: {
    sites: ['page-landing@repeat'],
    clients: ['best', 'firefox'],
    networks: ['cable'],
    arms: ['h2+udp=open', 'auto+udp=open', 'auto+udp=blocked'],
    compare: [
      ['h2+udp=open', 'auto+udp=open'],
      ['h2+udp=open', 'auto+udp=blocked'],
    ],
    primary: { page: 'fallbackMs' },
    repetitions: 8,
  },
};
