import { formatBytes, formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageLoad } from '../page-data.ts';
import { exportMenu } from './export-menu.ts';
import { make } from './read-page.ts';

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

/** The HAR of the trial next to the report, for any HAR viewer. */
function harLink({ trialId, title }: PageLoad, harFolder: string | null): HTMLElement[] {
  if (harFolder === null) return [];
  const href = `${harFolder}${encodeURIComponent(trialId)}.har`;
  return [make('a', { href, 'aria-label': `HAR of this trial over ${title}` }, 'HAR of this trial')];
}

/** Every request of one load in full: table, CSV, and its HAR where that lies next to the report. */
export function loadTools(load: PageLoad, harFolder: string | null): HTMLElement {
  const summary = `Requests over ${load.title}`;
  return exportMenu({ title: summary, summary, rows: () => rowsOf(load), further: harLink(load, harFolder) });
}
