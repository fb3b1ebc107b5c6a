import type { ReadyAudience } from './ready-audience.ts';

export const cruxWorld2019: ReadyAudience = {
  id: 'crux-world-2019',
  title: 'Effective types of the world, July 2019',
  source:
    'Shares: Chrome UX Report, all origins alike, July 2019 (discuss.httparchive.org/t/1808); what each type stands for is assumed',
  lines: ['share,effectiveType,name', '94.2,4g,4G', '5.7,3g,3G'],
};
