import { startAddress } from './address.ts';
import { startPlots } from './choices.ts';
import { startComparisonTable } from './comparison-table.ts';
import { copyText } from './copy.ts';
import { startDiagnoses } from './diagnoses.ts';
import { startFigures } from './figure.ts';
import { element, readPage } from './read-page.ts';
import { startScorecards } from './scorecards.ts';
import { startSkipping } from './skipping.ts';
import { startTheme } from './theme.ts';

const page = readPage();
// Styles show what needs scripts only now.
document.documentElement.classList.add('scripted');
startTheme();
startFigures();
startPlots(page);
startDiagnoses(page);
startComparisonTable(page);
startScorecards();
startAddress();

const copyCommand = element('copy-command');
copyCommand.addEventListener('click', () => void copyText(element('rerun-command').textContent, copyCommand));

for (const button of document.querySelectorAll<HTMLElement>('.copy-next')) {
  button.addEventListener('click', () => void copyText(button.dataset['copy'] ?? '', button));
}

const onePage = element('one-page');
// Until it is printed it is laid out for one sheet, which holds the first screen alone.
onePage.addEventListener('click', () => {
  document.documentElement.classList.add('one-page');
  addEventListener('afterprint', () => document.documentElement.classList.remove('one-page'), { once: true });
  print();
});

startSkipping();

/** From here on the page answers; measured by its test. */
performance.mark('h2h3-ready');
