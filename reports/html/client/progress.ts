import type { ConditionProgress, RunProgress, EndedTrial } from '../../../src/core/model/run-progress.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatCount, formatLevel, formatSpan, isNumber, plural } from '../../format/numbers.ts';
import { showHosts } from './progress-hosts.ts';
import { element, make } from './read-page.ts';
import { startTheme } from './theme.ts';

function headOf({ state, counts, planned, remainingMs }: RunProgress): string {
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (state === 'ended') return `All ${plural(planned, 'trial')} done`;
  if (state === 'stopped') return `Stopped after ${formatCount(done)} of ${plural(planned, 'trial')}`;
  const left = isNumber(remainingMs) ? `, about ${formatSpan(remainingMs)} left` : '';
  return `${formatCount(done)} of ${plural(planned, 'trial')} done${left}`;
}

function showBar({ counts, planned }: RunProgress): void {
  const bar = element('progress');
  const ended = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const share = (count: number): string => `${(count / Math.max(1, planned)) * 100}%`;
  const [done, lost] = bar.querySelectorAll('i');
  if (done) done.style.width = share(counts.ok);
  if (lost) lost.style.width = share(ended - counts.ok);
  bar.setAttribute('aria-valuemax', String(planned));
  bar.setAttribute('aria-valuenow', String(ended));
}

function armCells({ arms, unit, metric }: ConditionProgress): HTMLElement[] {
  return arms.map(({ planned, ok, lost, median }) =>
    make(
      'td',
      { class: 'num' },
      isNumber(median) ? `${formatLevel(median, unit, metric)} ${unit}` : '–',
      make('small', {}, `${ok} of ${planned}${lost > 0 ? `, ${lost} lost` : ''}`),
    ),
  );
}

function conditionRow(condition: ConditionProgress): HTMLElement {
  const { workload, client, network, metric } = condition;
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, workload, make('small', {}, `${client} · ${network}`)),
    make('td', {}, metric === '' ? '–' : metricWords(metric).title),
    ...armCells(condition),
  );
}

function trialRow({ workload, arm, block, status, reason, value, unit, endedAt }: EndedTrial): HTMLElement {
  const measured = isNumber(value) ? `${formatLevel(value, unit)} ${unit}` : '✓ ok';
  return make(
    'tr',
    {},
    make('td', { class: 'num' }, endedAt.slice(11, 19)),
    make('th', { scope: 'row' }, workload),
    make('td', {}, armTitle(arm)),
    make('td', {}, block),
    status === 'ok'
      ? make('td', { class: 'num' }, measured)
      : make('td', {}, `✕ ${status}: ${reason ?? 'no reason was recorded'}`),
  );
}

function show(progress: RunProgress): void {
  const { name, command, counts, conditions, lastTrials, hasReport, state } = progress;
  const head = headOf(progress);
  document.title = `${head} · ${name}`;
  element('run-name').textContent = name;
  element('command').textContent = command;
  element('state').textContent = head;
  showBar(progress);
  const lost = (['invalid', 'failed', 'unsupported', 'not-run'] as const).filter(
    (status) => counts[status] > 0,
  );
  element('counts').textContent = [
    `${formatCount(counts.ok)} valid`,
    ...lost.map((status) => `${formatCount(counts[status])} ${status}`),
  ].join(' · ');
  element('report-link').replaceChildren(
    ...(hasReport && state !== 'running' ? [make('a', { href: 'run/report.html' }, 'Open the report')] : []),
  );
  const arms = conditions[0]?.arms.map(({ arm }) => arm) ?? [];
  const heads = ['Workload', 'Metric', ...arms.map((arm) => `${armTitle(arm)} median`)];
  element('condition-head').replaceChildren(
    make('tr', {}, ...heads.map((title) => make('th', { scope: 'col' }, title))),
  );
  element('condition-rows').replaceChildren(...conditions.map(conditionRow));
  showHosts(progress.sharing);
  element('last-rows').replaceChildren(...lastTrials.map(trialRow));
}

document.documentElement.classList.add('scripted');
startTheme();

const events = new EventSource('events');
events.addEventListener('message', ({ data }) => {
  show(JSON.parse(String(data)) as RunProgress);
});
events.addEventListener('trouble', ({ data }) => {
  element('state').textContent = `The run cannot be read: ${String(JSON.parse(String(data)))}`;
});
events.addEventListener('error', () => {
  element('state').textContent = 'The server has ended. Start it again with npx h2h3 report --serve.';
});
