import type { Finding } from '../../model/finding.ts';

/** The standing comparisons, in the order of the page; a new one is a preset and an entry here. */
export const findings: readonly Finding[] = [
  {
    id: 'servers',
    preset: 'finding-servers',
    title: 'Servers under loss',
    question: 'How much faster is HTTP/3 from each server when packets are lost?',
    shows: 'comparisons',
  },
  {
    id: 'clients',
    preset: 'finding-clients',
    title: 'Clients at 1 Gbit/s',
    question: 'Which clients download slower over HTTP/3 on a fast network?',
    shows: 'comparisons',
  },
  {
    id: 'players',
    preset: 'finding-players',
    title: 'Players on 4G',
    question: 'Which bitrate does each player choose over the same network?',
    shows: 'comparisons',
  },
  {
    id: 'https-records',
    preset: 'finding-https-records',
    title: 'HTTPS records where UDP is blocked',
    question:
      'How much longer do pages load in Firefox when an HTTPS record promises HTTP/3 and UDP is blocked?',
    shows: 'comparisons',
  },
  {
    id: 'instrument',
    preset: 'finding-instrument',
    title: 'The cost of recording',
    question: 'How much slower are pages while h2h3 records them?',
    shows: 'recording',
  },
];
