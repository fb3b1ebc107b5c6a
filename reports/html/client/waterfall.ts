import { formatBytes, formatCount, formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageLoad, PageLoadGroup, PageRequest } from '../page-data.ts';
import { copyText, csvOf } from './copy.ts';
import { valuesTable } from './figure.ts';
import { make } from './read-page.ts';

/** Stretches of a request, in order; each has a height of its own, so that they differ without colour. */
const stretches = ['blocked', 'connect', 'wait', 'receive'] as const;

/** Rows that the chart's greatest height shows (34rem in waterfall.css, a row 1rem, and the axis). */
const rowsInView = 33;

function fileName(address: string): string {
  try {
    const { pathname, hostname } = new URL(address);
    return pathname.split('/').filter(Boolean).at(-1) ?? hostname;
  } catch {
    return address;
  }
}

/** Connections of a load by number, in the order of their first request. */
function connectionNumbers({ requests }: PageLoad): ReadonlyMap<string, number> {
  const names = [...new Set(requests.map((request) => request[10]).filter((name) => name !== ''))];
  return new Map(names.map((name, index) => [name, index + 1]));
}

function bar(request: PageRequest, endMs: number, connections: ReadonlyMap<string, number>): HTMLElement {
  const [address, startMs, ...rest] = request;
  const [protocol, priority] = [request[8], request[9]];
  const connection = connections.get(request[10]);
  const lengths = rest.slice(0, stretches.length) as number[];
  const track = make('span', { class: 'wf-track' });
  let atMs = startMs;
  stretches.forEach((stretch, i) => {
    const lengthMs = lengths[i] ?? 0;
    if (lengthMs > 0) {
      const part = make('i', { class: stretch });
      part.style.left = `${(atMs / endMs) * 100}%`;
      part.style.width = `${(lengthMs / endMs) * 100}%`;
      track.append(part);
    }
    atMs += lengthMs;
  });
  const failed = request[11] !== '' || request[7] >= 400;
  const name = make('span', { class: 'wf-name' }, `${failed ? '✕ ' : ''}${fileName(address)}`);
  const number = connection === undefined ? '' : `#${connection}`;
  const words = [
    `${formatNumber(startMs)} to ${formatNumber(atMs)} ms`,
    formatBytes(request[6]),
    protocol,
    priority === '' ? '' : `priority ${priority}`,
    number === '' ? '' : `connection ${number}`,
  ].filter(Boolean);
  return make(
    'div',
    { class: 'wf-row', title: `${address}: ${words.join(', ')}` },
    name,
    ...[protocol, priority, number].map((text) => make('span', { class: 'wf-meta' }, text)),
    track,
  );
}

function axis(endMs: number): HTMLElement {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    make('span', {}, `${formatNumber(endMs * share)}${share === 1 ? ' ms' : ''}`),
  );
  return make(
    'div',
    { class: 'wf-axis' },
    make('span', { class: 'wf-name' }, 'request'),
    ...['via', 'priority', 'conn.'].map((text) => make('span', { class: 'wf-meta' }, text)),
    make('span', { class: 'wf-ticks' }, ...ticks),
  );
}

function film(load: PageLoad): Node[] {
  if (load.frames.length === 0) return [];
  const pictures = load.frames.map(([tMs, data]) =>
    make(
      'figure',
      { class: 'frame' },
      make('img', {
        src: `data:image/jpeg;base64,${data}`,
        alt: `The page over ${load.title} after ${formatNumber(tMs)} ms`,
      }),
      make('figcaption', {}, `${formatNumber(tMs)} ms`),
    ),
  );
  return [make('div', { class: 'film' }, ...pictures)];
}

/** What one load was, in a sentence. */
export function loadWords({ title, requests, loadEventMs }: PageLoad): string {
  const bytes = requests.reduce((sum, request) => sum + (request[6] ?? 0), 0);
  const connections = new Set(requests.map((request) => request[10]).filter((name) => name !== '')).size;
  const protocols = [...new Set(requests.map((request) => request[8]))].join(', ');
  const load = isNumber(loadEventMs)
    ? `load event after ${formatNumber(loadEventMs, 4)} ms`
    : 'no load event';
  const over = connections > 0 ? ` over ${plural(connections, 'connection')}` : '';
  return `${title}: ${load}, ${plural(requests.length, 'request')} (${protocols || 'none'}), ${formatBytes(bytes)}${over}.`;
}

function rowsOf({ requests }: PageLoad): (string | number | null)[][] {
  const head = [
    'address',
    'start (ms)',
    'blocked',
    'connect',
    'wait',
    'receive',
    'bytes',
    'status',
    'protocol',
    'priority',
    'connection',
    'error',
  ];
  return [head, ...requests.map((request) => [...request])];
}

/** The HAR of the trial beside the report, for any HAR viewer. */
function harLink({ trialId, title }: PageLoad, harFolder: string | null): HTMLElement[] {
  if (harFolder === null) return [];
  const href = `${harFolder}${encodeURIComponent(trialId)}.har`;
  return [make('a', { href, 'aria-label': `HAR of this trial over ${title}` }, 'HAR of this trial')];
}

function requestTable(load: PageLoad, harFolder: string | null): HTMLElement {
  const holder = make('div', {
    class: 'values',
    tabindex: '0',
    role: 'region',
    'aria-label': `Requests over ${load.title}`,
  });
  const details = make('details', {}, make('summary', {}, `Requests over ${load.title}`), holder);
  details.addEventListener('toggle', () => {
    if (details.open && holder.childElementCount === 0) holder.append(valuesTable(rowsOf(load)));
  });
  const copy = make(
    'button',
    { type: 'button', 'aria-label': `Copy CSV: requests over ${load.title}` },
    'Copy CSV',
  );
  copy.addEventListener('click', () => void copyText(csvOf(rowsOf(load)), copy));
  return make('div', { class: 'tools' }, copy, ...harLink(load, harFolder), details);
}

/** Says so where the chart shows a part only: scroll bars are often hidden, and paper has none. */
function cutNote({ requests }: PageLoad): HTMLElement[] {
  if (requests.length <= rowsInView) return [];
  return [
    make(
      'p',
      { class: 'note' },
      `The first of ${formatCount(requests.length)} requests; scroll in the chart for the others.`,
    ),
  ];
}

function column(load: PageLoad, endMs: number, harFolder: string | null): HTMLElement {
  const words = `Waterfall of requests. ${loadWords(load)}`;
  const connections = connectionNumbers(load);
  const chart = make(
    'div',
    { class: 'wf', role: 'img', tabindex: '0', 'aria-label': words },
    axis(endMs),
    ...load.requests.map((one) => bar(one, endMs, connections)),
  );
  if (isNumber(load.loadEventMs)) chart.style.setProperty('--load', `${(load.loadEventMs / endMs) * 100}%`);
  return make(
    'figure',
    {},
    make('h3', {}, load.title),
    make('figcaption', {}, loadWords(load)),
    ...film(load),
    chart,
    ...cutNote(load),
    requestTable(load, harFolder),
  );
}

/** Both arms of one block side by side on one time axis. */
export function waterfalls({ loads, endMs }: PageLoadGroup, harFolder: string | null): HTMLElement[] {
  return loads.map((load) => column(load, endMs, harFolder));
}
