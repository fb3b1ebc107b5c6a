import type { RealPagesFigure } from '../../../src/core/model/corpus.ts';
import type { Summary } from '../../../src/core/model/summary.ts';
import { formatBytes, formatNumber, isNumber, plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { scrolling } from '../scrolling.ts';

const titles: Readonly<Record<RealPagesFigure['figure'], string>> = {
  objectCount: 'Requests',
  wireBytes: 'Bytes on the wire',
  hostCount: 'Hosts',
  tbtMs: 'Total blocking time, ms',
};

/** The distribution of the run's pages next to that of real ones; nothing where the run has too few. */
export function realPages({ realPages: figures = [] }: Summary): Markup {
  const [first] = figures;
  if (first === undefined) return markup``;
  const heads = first.spread.map(
    ({ share }) => markup`<th scope="col" class="num">${formatNumber(100 * share)} %</th>`,
  );
  return markup`<h3>Compared with real pages</h3>
    <p class="note">
      The value that so many of the pages are below: of the pages of this run, and of real ones as published. Blocking
      time is of this machine, in browsers that report it.
    </p>
    ${scrolling(
      'Compared with real pages',
      markup`<table class="plain" id="real-pages">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Of</th>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${figures.map(rows)}
        </tbody>
      </table>`,
    )}`;
}

function rows({ figure, pages, source, spread }: RealPagesFigure): Markup {
  const format = figure === 'wireBytes' ? formatBytes : formatNumber;
  const cells = (side: 'ours' | 'published'): Markup[] =>
    spread.map((each) => markup`<td class="num">${isNumber(each[side]) ? format(each[side]) : '–'}</td>`);
  return markup`<tr>
      <th scope="row" rowspan="2">${titles[figure]}</th>
      <td>${plural(pages, 'page')} of this run</td>
      ${cells('ours')}
    </tr>
    <tr>
      <td>${source}</td>
      ${cells('published')}
    </tr>`;
}
