import type { Preset } from './preset.ts';

const title = 'Page loads, cold, H2 against H3; the pooled page load time decides';

/** Two real pages and two replicas; with those of `web-loopback` over 4G the run would take three quarters of an hour. */
const sites = ['page-agency', 'page-soft-ui', 'replica-6pm.com', 'replica-9gag.com'];

export const webPreset: Preset = {
  id: 'web',
  title: `${title}: two real pages and two replicas over 4G while walking`,
  plan: {
    sites,
    // Where this cannot be had the preset runs over loopback, with a warning.
    networks: ['4g'],
    sequential: true,
    repetitions: 20,
    budgetMinutes: 4,
    primary: { page: 'pltMs' },
  },
};

/** What the protocols cost the machine: no delay, no loss, no limit; so it says nothing of users. */
export const webLoopbackPreset: Preset = {
  id: 'web-loopback',
  title: `${title}: four real pages and four replicas without any network delay or loss`,
  plan: {
    sites: ['default'],
    repetitions: 8,
    primary: { page: 'pltMs' },
  },
};
