import {
  formatLevel,
  formatNumber,
  formatP,
  formatRatioPercent,
  isNumber,
  plural,
} from '../../format/numbers.ts';
import { marginText, sitesText, takeaway } from '../../format/verdict-words.ts';
import type { PageArm, PageComparison } from '../page-data.ts';
import { distributionFigure } from './distribution.ts';
import { figure, removeFigures } from './figure.ts';
import { pairedChangesFigure } from './paired-changes.ts';
import { make } from './read-page.ts';
import type { Page } from './read-page.ts';

function pair(name: string, value: string): HTMLElement {
  return make('div', {}, make('dt', {}, name), make('dd', {}, value));
}

function armWords({ title, n, median }: PageArm, { unit, metricName }: PageComparison): string {
  return `${title}: ${isNumber(median) ? `median ${formatLevel(median, unit, metricName)} ${unit}` : 'no median'}, ${plural(n, 'value')}`;
}

/** Everything that is known of a comparison next to its plot. */
function factsOf(comparison: PageComparison): (readonly [string, string])[] {
  const { baseline, candidate, ratio, ratioInterval, cliffsDelta, pValue, adjustedPValue } = comparison;
  const { heterogeneity } = comparison;
  const sites = sitesText(comparison);
  const ends =
    ratioInterval === null ? '' : ` (${ratioInterval.map((end) => formatNumber(end, 4)).join(' to ')})`;
  return [
    ['Where', comparison.condition],
    ['Arms', `${armWords(baseline, comparison)}, ${armWords(candidate, comparison)}`],
    ...(ratio === null ? [] : [['Ratio', `${formatNumber(ratio, 4)}${ends}`] as const]),
    ...(sites === '' ? [] : [['Sites', sites] as const]),
    ...(heterogeneity === null
      ? []
      : heterogeneity.sites.map(
          (site) =>
            [
              site.workload,
              `${formatRatioPercent(site.ratio)}${site.decided === null ? '' : `, ${site.decided}`}`,
            ] as const,
        )),
    ['Margin', marginText(comparison)],
    ['p', `${formatP(pValue)}, adjusted for its family ${formatP(adjustedPValue)}`],
    ['Cliff’s delta', formatNumber(cliffsDelta)],
    ...comparison.warnings.map((warning) => ['Warning', warning] as const),
  ];
}

/** The requests behind a page's row, where this page shows them: of its own condition, else of the first. */
function waysInside({ workload, place, kind }: PageComparison, { pageLoads }: Page): HTMLElement[] {
  const own = pageLoads.filter((load) => load.workload === workload);
  const group = own.find((load) => load.place === place) ?? own[0];
  if (kind !== 'page' || group === undefined) return [];
  const href = `#inside?${new URLSearchParams({ 'inside-page': group.title }).toString()}`;
  return [make('a', { href, class: 'row-inside' }, 'Waterfall of both')];
}

function detailOf(comparison: PageComparison, page: Page): HTMLElement {
  const spec = distributionFigure(comparison);
  const evidence =
    spec === null
      ? make('p', { class: 'empty' }, takeaway(comparison, comparison.candidate.title))
      : figure(spec);
  const changes = pairedChangesFigure(comparison);
  return make(
    'div',
    {},
    make('div', { class: 'figures pair' }, evidence, ...(changes === null ? [] : [figure(changes)])),
    make('dl', { class: 'pairs' }, ...factsOf(comparison).map(([name, value]) => pair(name, value))),
    make(
      'p',
      { class: 'ways' },
      make('a', { href: `#${comparison.id}` }, 'Link to this comparison'),
      ...waysInside(comparison, page),
    ),
  );
}

function detailBelow(row: HTMLTableRowElement): Element | null {
  const next = row.nextElementSibling;
  return next?.classList.contains('detail') === true ? next : null;
}

/** Whether the evidence below a row is shown. */
export function isOpen(row: HTMLTableRowElement): boolean {
  return detailBelow(row) !== null;
}

/** Opens or closes the evidence below a row. */
export function toggleDetail(
  row: HTMLTableRowElement,
  comparison: PageComparison,
  open: boolean,
  page: Page,
): void {
  const present = detailBelow(row);
  row.querySelector('.open-row')?.setAttribute('aria-expanded', String(open));
  if (open && present === null) {
    const cell = make('td', { colspan: String(row.cells.length) }, detailOf(comparison, page));
    row.after(make('tr', { class: 'detail' }, cell));
  } else if (!open && present !== null) {
    removeFigures(present);
    present.remove();
  }
}
