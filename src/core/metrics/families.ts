import { timeAsDifference, type Metric } from './metric.ts';

/**
 * How a client chooses between an address of IPv4 and one of IPv6. Which of them it took (`connectFamily`) is told with each
 * trial and never compared: neither version is the better one.
 */
export const familyMetrics: readonly Metric[] = [
  {
    name: 'addressRaceMs',
    title: 'wait before the other version of IP is tried',
    meaning:
      'Between the first packets to the server over IPv4 and over IPv6, in arms with `family=both`; missing where one is not tried.',
    source: 'RFC 8305, section 5',
    ...timeAsDifference,
    margin: 20,
    kinds: ['page', 'download', 'upload'],
    onDeadline: 'missing',
    formulas: {
      race: ({ firstMs: [v4, v6] }) => (v4 === undefined || v6 === undefined ? undefined : Math.abs(v4 - v6)),
    },
  },
];
