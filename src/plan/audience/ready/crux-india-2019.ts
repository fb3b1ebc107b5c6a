import type { ReadyAudience } from './ready-audience.ts';

export const cruxIndia2019: ReadyAudience = {
  id: 'crux-india-2019',
  title: 'Effective types of India, July 2019',
  source:
    'Shares: Chrome UX Report of India, all origins alike, July 2019 (discuss.httparchive.org/t/1808); what each type stands for is assumed',
  lines: ['share,effectiveType,name', '69.8,4g,4G', '29.9,3g,3G', '0.3,2g,2G'],
};
