import type { ReadyAudience } from './ready-audience.ts';

/**
 * The 10th, 25th, 50th, 75th and 90th percentile over sites stand for all up to the middle between them. Each site is the round
 * trip that three quarters of its page views stay below, so these users are slower than most.
 */
export const cruxRoundTrips2024: ReadyAudience = {
  id: 'crux-round-trips-2024',
  title: 'Round trips of 50 000 sites, December 2024',
  source:
    'Round trips: 75th percentiles of the 50 000 most visited sites in the Chrome UX Report, December 2024 (treo.sh/rtt); the rate of 9 Mbit/s is assumed',
  lines: ['share,rttMs,downMbps', '17.5,84,9', '20,102,9', '25,139,9', '20,196,9', '17.5,265,9'],
};
