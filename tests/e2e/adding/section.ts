import { markup } from '../../../reports/html/markup.ts';
import type { ReportSection } from '../../../reports/html/sections/report-section.ts';

export const added: ReportSection = {
  links: [['added-section', 'Added']],
  render: ({ context: { summary } }) =>
    markup`<section id="added-section"><p>${summary.trials.ok} trials were ok</p></section>`,
};
