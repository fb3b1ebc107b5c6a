import type { Metric } from './metric.ts';

export const firstVisitH3Share: Metric = {
  name: 'firstVisitH3Share',
  title: 'objects of a first visit over HTTP/3',
  isPlural: true,
  meaning: 'Share of a first visit’s objects that came over HTTP/3, 0 to 1, in arms that set `discovery`.',
  unit: '',
  form: 'difference',
  margin: 0.05,
  higherIsBetter: true,
  kinds: ['page'],
  onDeadline: 'missing',
  formulas: {
    objects: ({ objects, discovery }) =>
      discovery?.isFirstVisit === true
        ? objects.filter(({ protocol }) => protocol === 'h3').length / objects.length
        : undefined,
  },
};
