import { addressedName, startAddress } from './address.ts';
import { startPlots } from './choices.ts';
import { startFigures } from './figure.ts';
import { readPage } from './read-page.ts';
import { startTheme } from './theme.ts';

/** Chooses what the address names, as the links of the report do. */
function followAddress(): void {
  const wanted = addressedName();
  for (const select of document.querySelectorAll('select')) {
    if (![...select.options].some(({ value }) => value === wanted)) continue;
    select.value = wanted;
    select.dispatchEvent(new Event('change'));
    return;
  }
}

document.documentElement.classList.add('scripted');
startTheme();
startFigures();
startPlots(readPage());
startAddress();
followAddress();
addEventListener('hashchange', followAddress);

/** From here on the page answers; measured by its test. */
performance.mark('h2h3-ready');
