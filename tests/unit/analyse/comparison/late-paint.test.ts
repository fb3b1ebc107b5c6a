import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Comparison, Summary } from '../../../../src/core/model/summary.ts';
import { generateRun, type GeneratedRunOptions } from '../../../support/generated-run.ts';

/** Page `a` shows something only so long after its load event. */
const painting =
  (delayMs: number, lcp: 'told' | 'untold' = 'told') =>
  (record: TrialRecord): TrialRecord => {
    if (!record.workload.startsWith('page-a')) return record;
    const loadedMs = Number(record.metrics['pltMs']);
    const metrics: TrialMetrics = Object.assign({}, record.metrics, { fcpMs: loadedMs + delayMs });
    if (lcp === 'told') metrics['lcpMs'] = loadedMs + delayMs + 200;
    else delete metrics['lcpMs'];
    return { ...record, metrics };
  };

function summaryOf(options: GeneratedRunOptions): Summary {
  const { plan, records } = generateRun(options);
  return summarise(plan, records, null, []);
}

const deciding = ({ comparisons }: Summary): string[] =>
  comparisons.filter(({ primary }) => primary).map(({ workload, metric }) => `${workload} ${metric}`);

const about = ({ comparisons }: Summary, workload: string, metric: string): Comparison | undefined =>
  comparisons.find((comparison) => comparison.workload === workload && comparison.metric === metric);

const three = ['page-a', 'page-b', 'page-c'].map((id) => ({ id, kind: 'page' as const }));

test('a page that paints only after its load event is judged by its largest paint, the others by their loads', () => {
  const summary = summaryOf({ workloads: three, slowdown: { h3: 1.2 }, alter: painting(900) });
  assert.deepEqual(deciding(summary), ['pooled pltMs', 'page-a lcpMs']);
  assert.equal(about(summary, 'pooled', 'pltMs')?.heterogeneity?.sites.length, 2);
  const load = about(summary, 'page-a', 'pltMs');
  assert.deepEqual(
    [load?.verdict, load?.reason],
    ['inconclusive', 'the first paint comes after the load event'],
  );
  assert.deepEqual(
    summary.warnings.filter((warning) => /load event/.test(warning)),
    [
      'page-a paints only after the load event. The load time (pltMs) decides nothing there, and the largest contentful paint (lcpMs) does in its place',
    ],
  );
  const alone = summaryOf({ workloads: three.slice(0, 1), slowdown: { h3: 1.2 }, alter: painting(900) });
  const { headline, detail } = alone.firstScreen;
  assert.match(headline, /shows its main content .* later/);
  assert.doesNotMatch(headline + detail, /load time/i, 'it is not even told as not decided');
});

test('some frames after the load event are no late paint, and without largest paints the first one judges', () => {
  const frames = summaryOf({ workloads: three, alter: painting(60) });
  assert.deepEqual(deciding(frames), ['pooled pltMs']);
  assert.doesNotMatch(frames.warnings.join(), /load event/);
  const untold = summaryOf({ workloads: three.slice(0, 1), alter: painting(900, 'untold') });
  assert.deepEqual(deciding(untold), ['page-a fcpMs']);
});

test('a few late paints among many change nothing, and a plan that asks for another metric keeps it', () => {
  const few = (record: TrialRecord): TrialRecord => (record.blockIndex < 3 ? painting(900)(record) : record);
  assert.deepEqual(deciding(summaryOf({ workloads: three.slice(0, 1), alter: few })), ['page-a pltMs']);
  const asked = { primary: { page: 'fcpMs' } };
  const own = summaryOf({ workloads: three, plan: asked, alter: painting(900) });
  assert.deepEqual(deciding(own), ['pooled fcpMs']);
  assert.equal(about(own, 'pooled', 'pltMs')?.heterogeneity?.sites.length, 2);
});

test('a journey is judged by its end', () => {
  const journey = [{ id: 'page-a-journey', kind: 'journey' as const }];
  const alter = (record: TrialRecord): TrialRecord =>
    painting(900)({ ...record, metrics: Object.assign({}, record.metrics, { pltMs: 500 }) });
  const plan = { primary: { journey: 'pltMs' } };
  assert.deepEqual(deciding(summaryOf({ workloads: journey, plan, alter })), ['page-a-journey journeyMs']);
});

test('interim analyses judge by the same metric as the end, with the margin that was asked for loads', () => {
  const { plan, records } = generateRun({
    workloads: three.slice(0, 1),
    slowdown: { h3: 1.2 },
    alter: (record) => (record.blockIndex < 5 ? record : painting(900)(record)),
    plan: { interims: [6, 12] },
    blocks: 12,
  });
  const gate = judgeGate(plan, records, { margins: { pltMs: 0.5 } });
  assert.deepEqual(
    gate.comparisons.map(({ metric, margin }) => [metric, margin]),
    [['lcpMs', 0.5]],
  );
});
