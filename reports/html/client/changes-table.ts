import { formatNumber, formatSigned, plural } from '../../format/numbers.ts';
import type { PageChangesShown } from '../page-data.ts';
import { make } from './read-page.ts';

type Request = PageChangesShown['requests'][number];

function spanWords(interval: Request['durationInterval']): string {
  return interval === null
    ? 'too few blocks'
    : `${formatSigned(interval[0])} to ${formatSigned(interval[1])}`;
}

function fileOf(address: string): string {
  const { pathname, hostname } = new URL(address);
  return pathname.split('/').filter(Boolean).at(-1) ?? hostname;
}

function row(request: Request): HTMLElement {
  const {
    address,
    host,
    blocks,
    durationDifferenceMs,
    durationInterval,
    endDifferenceMs,
    endInterval,
    mainStretch,
  } = request;
  return make(
    'tr',
    {},
    make('th', { scope: 'row', title: address }, fileOf(address), make('small', {}, host)),
    make(
      'td',
      { class: 'num change' },
      make('b', {}, `${formatSigned(durationDifferenceMs)} ms`),
      make('small', {}, spanWords(durationInterval)),
    ),
    make('td', {}, mainStretch),
    make(
      'td',
      { class: 'num change' },
      make('b', {}, `${formatSigned(endDifferenceMs)} ms`),
      make('small', {}, spanWords(endInterval)),
    ),
    make('td', { class: 'num' }, String(blocks)),
  );
}

/** The requests that changed most, over all blocks of the page; nothing where they were not read. */
export function changesTable(changes: PageChangesShown | undefined): HTMLElement[] {
  if (changes === undefined || changes.requests.length === 0) return [];
  const { candidate, blocks, matched, onlyBaseline, onlyCandidate, requests } = changes;
  const alone = onlyBaseline + onlyCandidate;
  const words = `Over ${plural(blocks, 'block')}, ${plural(matched, 'request')} that both made${alone > 0 ? ` (${formatNumber(alone)} times one alone made a request)` : ''}. Differences of ${candidate} with 95 % intervals. Above zero is slower.`;
  const heads = ['Request', 'Takes longer or shorter', 'Most of it', 'Ends later or sooner', 'n'];
  return [
    make(
      'figure',
      { class: 'changes' },
      make('h3', {}, `The ${plural(requests.length, 'request')} that changed most`),
      make('figcaption', {}, words),
      make(
        'div',
        { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Requests that changed most' },
        make(
          'table',
          { class: 'plain' },
          make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head)))),
          make('tbody', {}, ...requests.map(row)),
        ),
      ),
    ),
  ];
}
