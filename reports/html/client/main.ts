import { startPlots } from './choices.ts';
import { startComparisonTable } from './comparison-table.ts';
import { copyText } from './copy.ts';
import { startFigures } from './figure.ts';
import { element, readPage } from './read-page.ts';
import { startTheme } from './theme.ts';

const page = readPage();
document.documentElement.classList.add('scripted');
startTheme();
startFigures();
startPlots(page);
startComparisonTable(page);

for (const button of document.querySelectorAll('.unfold-scorecard')) {
  button.addEventListener('click', () => {
    const table = button.closest('section')?.querySelectorAll('table.folded') ?? [];
    for (const one of table) one.classList.remove('folded');
    for (const unfold of document.querySelectorAll('.unfold')) unfold.remove();
  });
}

const copyCommand = element('copy-command');
copyCommand.addEventListener('click', () => void copyText(element('rerun-command').textContent, copyCommand));

/** From here on the page answers; measured by its test. */
performance.mark('h2h3-ready');
