import type { StudyLead } from '../../core/model/studies.ts';

/** What each of the four studies asks, in the order of their experiments. */
export const studyLeads: readonly StudyLead[] = [
  {
    study: 'Zhang et al. 2024',
    question: 'Is a download slower over QUIC when the network is fast?',
    claim: { id: 'Z11', experiment: 'time of 1 GB on the desktop' },
    figure: { id: 'Z11', place: 'table 1' },
  },
  {
    study: 'Liu et al. 2025',
    question: 'Does HTTP/3 bear loss and delay better?',
    claim: { id: 'L1', experiment: 'a body, 50 ms and 4 % loss each way' },
    figure: { id: 'L2', place: 'figure 5' },
  },
  {
    study: 'Kakhki et al. 2017',
    question: 'Does QUIC take more than its share next to TCP?',
    claim: { id: 'K3', experiment: 'share of one QUIC connection next to 1 of TCP' },
    figure: { id: 'K3', place: 'table 4' },
  },
  {
    study: 'Shreedhar et al. 2022',
    question: 'Does QUIC connect faster?',
    claim: { id: 'S1', experiment: 'connection against TLS 1.3, fast network' },
    figure: { id: 'S1', place: 'figures 5, 6, 7' },
  },
];
