import { formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageChangesShown, PageLoad, PageLoadGroup } from '../page-data.ts';
import { chosen, remember } from './address.ts';
import { changesTable } from './changes-table.ts';
import { roundStep } from './chart-options.ts';
import { filmstrips, startFilm } from './film.ts';
import { linkBandWords } from './link-bands.ts';
import { loadTools, loadWords } from './load-tools.ts';
import { matchedRows, stretchNames } from './matched-rows.ts';
import type { MatchedRow } from './matched-rows.ts';
import { make } from './read-page.ts';
import type { Page } from './read-page.ts';

/** Greatest enlargement of the time axis. */
const maxZoom = 8;

/** Moments of the ticks, ms: round, and so many that labels have room. */
export function tickMoments(endMs: number, most: number): number[] {
  const step = roundStep(endMs / Math.max(1, most));
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, i) => i * step);
}

function at(element: HTMLElement, ms: number, endMs: number): HTMLElement {
  element.style.left = `${(ms / endMs) * 100}%`;
  return element;
}

function ticksOf(endMs: number, zoom: number): HTMLElement[] {
  const most = Math.max(2, (innerWidth < 700 ? 3 : 8) * zoom);
  return tickMoments(endMs, most).map((ms) =>
    at(make('span', { class: 'wf-tick', 'data-ms': String(ms) }, formatNumber(ms)), ms, endMs),
  );
}

const markWords = { fcp: 'first paint', lcp: 'largest paint', load: 'load' } as const;

/** First paint, largest paint and load of both arms as lines, each with its name for the eye that follows it. */
function marksOf({ loads, endMs }: PageLoadGroup): HTMLElement[] {
  return loads.flatMap((load, arm) =>
    Object.entries(load.marks)
      .filter(([, ms]) => isNumber(ms) && ms <= endMs)
      .map(([name, ms]) =>
        at(
          make('i', {
            class: `wf-mark arm-${arm} mark-${name}`,
            title: `${markWords[name as keyof typeof markWords]}, ${load.title}: ${formatNumber(ms, 4)} ms`,
          }),
          ms ?? 0,
          endMs,
        ),
      ),
  );
}

/** Behind the requests, what a schedule of the link set when. */
function bandsOf({ linkBands, endMs }: PageLoadGroup): HTMLElement[] {
  return linkBands.map(([fromMs, toMs, isSilent, words]) => {
    const band = at(
      make('i', { class: isSilent ? 'wf-band silent' : 'wf-band', title: words }),
      fromMs,
      endMs,
    );
    band.style.width = `${((toMs - fromMs) / endMs) * 100}%`;
    return band;
  });
}

function markTable({ loads }: PageLoadGroup): HTMLElement {
  const names = Object.keys(markWords) as (keyof typeof markWords)[];
  return make(
    'table',
    { class: 'plain marks' },
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        make('th', { scope: 'col' }, 'This block, ms'),
        ...names.map((name) => make('th', { scope: 'col' }, markWords[name])),
        make('th', { scope: 'col' }, 'requests'),
      ),
    ),
    make(
      'tbody',
      {},
      ...loads.map((load, arm) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row', class: `arm-name arm-${arm}` }, load.title),
          ...names.map((name) => make('td', { class: 'num' }, formatNumber(load.marks[name], 4))),
          make('td', { class: 'num' }, String(load.requests.length)),
        ),
      ),
    ),
  );
}

function barOf(row: MatchedRow, arm: number, endMs: number): HTMLElement {
  const track = make('span', { class: `wf-track arm-${arm}` });
  const timing = row.timings[arm];
  if (timing === undefined) return track;
  let atMs = timing.startMs;
  timing.stretchesMs.forEach((lengthMs, i) => {
    if (lengthMs > 0) {
      const part = at(make('i', { class: stretchNames[i] ?? '' }), atMs, endMs);
      part.style.width = `${(lengthMs / endMs) * 100}%`;
      track.append(part);
    }
    atMs += lengthMs;
  });
  return track;
}

function rowOf(row: MatchedRow, endMs: number): HTMLElement {
  return make(
    'div',
    { class: 'wf-row', title: row.words },
    make('span', { class: 'wf-name' }, row.name),
    make('span', { class: 'wf-bars' }, ...row.timings.map((_, arm) => barOf(row, arm, endMs))),
  );
}

function hostRow(host: string, rows: readonly MatchedRow[]): HTMLElement {
  return make('div', { class: 'wf-host' }, make('span', {}, `${host} · ${plural(rows.length, 'request')}`));
}

interface Chart {
  readonly frame: HTMLElement;
  readonly zoomTo: (zoom: number) => void;
  readonly showMoment: (ms: number) => void;
}

function chartOf(group: PageLoadGroup, rows: readonly MatchedRow[]): Chart {
  const { endMs, loads } = group;
  const ticks = make('span', { class: 'wf-ticks' });
  const now = make('i', { class: 'wf-now' });
  const grid = make('div', { class: 'wf-lines', 'aria-hidden': 'true' });
  const hosts = Map.groupBy(rows, ({ host }) => host);
  const canvas = make(
    'div',
    { class: 'wf-canvas' },
    make('div', { class: 'wf-axis' }, make('span', { class: 'wf-name' }, 'ms'), ticks),
    grid,
    ...[...hosts].flatMap(([host, own]) => [hostRow(host, own), ...own.map((row) => rowOf(row, endMs))]),
  );
  const words = `Requests of both on one time axis. ${loads.map(loadWords).join(' ')}${linkBandWords(group.linkBands)} The tables below have every request.`;
  const frame = make('div', { class: 'wf', role: 'img', tabindex: '0', 'aria-label': words }, canvas);
  const zoomTo = (zoom: number): void => {
    canvas.style.setProperty('--zoom', String(zoom));
    ticks.replaceChildren(...ticksOf(endMs, zoom));
    const lines = tickMoments(endMs, Math.max(2, (innerWidth < 700 ? 3 : 8) * zoom)).map((ms) =>
      at(make('i', { class: 'wf-grid' }), ms, endMs),
    );
    grid.replaceChildren(...bandsOf(group), ...lines, ...marksOf(group), now);
  };
  zoomTo(1);
  return {
    frame,
    zoomTo,
    showMoment: (ms) => {
      at(now, ms, endMs);
    },
  };
}

function slider(
  label: string,
  attributes: Readonly<Record<string, string>>,
): [HTMLElement, HTMLInputElement] {
  const input = make('input', { type: 'range', ...attributes });
  return [make('label', { class: 'slider' }, label, input), input];
}

function momentWords(ms: number, { loads }: PageLoadGroup): string {
  const parts = loads.map((load) => {
    const done = load.requests.filter(
      ([, start, blocked, connect, wait, receive]) => start + blocked + connect + wait + receive <= ms,
    ).length;
    const seen = load.progress.findLast(([tMs]) => tMs <= ms)?.[1];
    return `${load.title} ${done} of ${plural(load.requests.length, 'request')}${seen === undefined ? '' : `, ${formatNumber(seen, 2)} % visible`}`;
  });
  return `After ${formatNumber(ms, 4)} ms: ${parts.join(', ')}.`;
}

/** Both arms of one block on one scroll, one zoom and one moment: frames, requests, and what changed over all blocks. */
export function comparedLoads(
  group: PageLoadGroup,
  changes: PageChangesShown | undefined,
  page: Page,
): HTMLElement[] {
  const { loads, endMs } = group;
  const rows = matchedRows(loads);
  const chart = chartOf(group, rows);
  const film = startFilm(loads);
  const [momentLabel, moment] = slider('Moment', { min: '0', max: String(Math.ceil(endMs)), step: '10' });
  const [zoomLabel, zoom] = slider('Zoom', { min: '1', max: String(maxZoom), step: '1', value: '1' });
  const words = make('output', { class: 'moment' });
  const show = (): void => {
    const ms = Number(moment.value);
    chart.showMoment(ms);
    film.showMoment(ms);
    words.textContent = momentWords(ms, group);
  };
  moment.addEventListener('input', show);
  zoom.addEventListener('input', () => {
    chart.zoomTo(Number(zoom.value));
  });
  // While a slider moves, the address keeps still.
  moment.addEventListener('change', () => {
    remember({ moment: Number(moment.value) >= Number(moment.max) ? '' : moment.value });
  });
  zoom.addEventListener('change', () => {
    remember({ zoom: zoom.value === '1' ? '' : zoom.value });
  });
  moment.value = chosen('moment') ?? String(Math.ceil(endMs));
  zoom.value = chosen('zoom') ?? '1';
  chart.zoomTo(Number(zoom.value));
  show();
  const figure = make(
    'figure',
    { class: 'compared' },
    make('h3', {}, `Requests of ${loads.map(({ title }) => title).join(' and ')}, ${group.block}`),
    make(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Marks of this block' },
      markTable(group),
    ),
    ...filmstrips(group),
    make('div', { class: 'filters' }, ...film.controls, momentLabel, zoomLabel),
    words,
    ...film.stage,
    chart.frame,
    ...(group.linkBands.length === 0
      ? []
      : [make('p', { class: 'note' }, linkBandWords(group.linkBands).trim())]),
    ...loads.map((load: PageLoad) => loadTools(load, page.harFolder)),
  );
  return [...changesTable(changes), figure];
}
