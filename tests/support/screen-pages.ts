import { renderRunComparison } from '../../reports/html/compare/render-run-comparison.ts';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { renderStudiesPage } from '../../reports/html/studies/render-studies-page.ts';
import { compareRuns } from '../../src/analyse/compare-runs/compare-runs.ts';
import { judgeGate } from '../../src/analyse/gate/judge-gate.ts';
import { withGateHeadline } from '../../src/analyse/gate/with-gate-headline.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { parseArms } from '../../src/plan/arms.ts';
import { environmentFixture } from './environment-fixture.ts';
import { generateGateRun } from './gate-run.ts';
import type { GeneratedRunOptions } from './generated-run.ts';
import { armsAA, generateRun } from './generated-run.ts';
import { playedTracks, settledTracks } from './played-tracks.ts';
import { studiesFixture } from './studies-fixture.ts';

const video = [{ id: 'film', kind: 'video' }] as const;
const download = [{ id: 'file', kind: 'download' }] as const;

/** The summary of a made-up run over 4G. */
export function summaryOf(options: GeneratedRunOptions): Summary {
  const { plan, records } = generateRun({
    networks: ['4g'],
    ...options,
    plan: { command: 'h2h3 run web', ...options.plan },
  });
  const clients = plan.arms.flatMap(({ factors }) => factors.client ?? []);
  const named = clients.length > 0 ? [...new Set(clients)] : ['chromium'];
  return summarise(plan, records, environmentFixture(named, ['4g']), []);
}

function gateOf(slowdown: Readonly<Record<string, number>>): Summary {
  const { plan, records } = generateGateRun({ slowdown });
  const environment = environmentFixture(['old', 'new'], ['host']);
  const summary = summarise(plan, records, environment, []);
  return withGateHeadline(summary, judgeGate(plan, records, { environment }));
}

const versions = ['chromium@148:h2', 'chromium@148:h3', 'chromium@153:h2', 'chromium@153:h3'];
const night = (seed: number, slowdown: number): Summary => summaryOf({ seed, slowdown: { h3: slowdown } });

/** A page of every kind whose first screen has headline, picture and next step, by name. */
export const screenPages: Readonly<Record<string, () => Promise<string>>> = {
  'default video': () => renderHtmlReport(summaryOf({ workloads: video, slowdown: { h3: 1.2 } })),
  'video that was at no risk': () =>
    renderHtmlReport(
      summaryOf({
        workloads: video,
        plan: { primary: { video: 'averageChunkBitrateKbps' } },
        alter: (one) => playedTracks(one, settledTracks),
      }),
    ),
  web: () => renderHtmlReport(summaryOf({ slowdown: { h3: 1.2 } })),
  'web of which nothing is decided': () => renderHtmlReport(summaryOf({ noise: 0.15, seed: 4 })),
  download: () => renderHtmlReport(summaryOf({ workloads: download, slowdown: { h3: 1.2 } })),
  'gate failed': () => renderHtmlReport(gateOf({ 'new:h3': 1.25 })),
  'gate passed': () => renderHtmlReport(gateOf({})),
  'A/A': () => renderHtmlReport(summaryOf({ arms: armsAA })),
  versions: () =>
    renderHtmlReport(
      summaryOf({ arms: parseArms(versions), blocks: 12, slowdown: { 'chromium@153:h3': 1.2 } }),
    ),
  compare: () =>
    renderRunComparison(
      compareRuns({ folder: 'monday', summary: night(1, 1) }, { folder: 'tuesday', summary: night(2, 1.2) }),
    ),
  studies: () => renderStudiesPage(studiesFixture()),
  exploratory: () => renderHtmlReport(summaryOf({ slowdown: { h3: 1.2 }, plan: { exploratory: true } })),
  aborted: () =>
    renderHtmlReport(
      summaryOf({
        slowdown: { h3: 1.2 },
        blocks: 12,
        alter: (one) => (one.blockIndex < 9 ? one : undefined),
      }),
    ),
};

const longName = `https://${'a'.repeat(190)}.example/`;
const fortyArms = ['h2', ...Array.from({ length: 39 }, (_, i) => `h3+congestion=cc${i}`)];
const lost = (record: TrialRecord): TrialRecord => ({ ...record, status: 'failed', reason: 'ended early' });

function withoutCpuInBaseline(record: TrialRecord): TrialRecord {
  const metrics: TrialMetrics = { ...record.metrics };
  metrics['cpuSecondsPerGigabyte'] = null;
  return record.arm === 'h2' ? { ...record, metrics } : record;
}

/** Runs that went badly, or whose names are hard to show; what has nothing to draw has no picture. */
const badInput: Readonly<Record<string, readonly [hasPicture: boolean, summary: () => Summary]>> = {
  'one block': [true, () => summaryOf({ blocks: 1 })],
  'no valid trial': [false, () => summaryOf({ alter: lost })],
  'one arm lost': [false, () => summaryOf({ alter: (one) => (one.arm === 'h3' ? lost(one) : one) })],
  'forty arms': [
    true,
    () =>
      summaryOf({ arms: parseArms(fortyArms), workloads: download, slowdown: { [fortyArms[3] ?? '']: 1.6 } }),
  ],
  'a metric in one arm only': [
    true,
    () =>
      summaryOf({
        workloads: download,
        slowdown: { h3: 1.3 },
        alter: withoutCpuInBaseline,
      }),
  ],
  'names of 200 characters': [
    true,
    () =>
      summaryOf({
        arms: parseArms(['h2', `h3+url=${longName}`]),
        slowdown: { [`h3+url=${longName}`]: 1.3 },
        plan: { workloads: [{ id: 'page-a', kind: 'page', title: 'w'.repeat(200) }] },
      }),
  ],
  'titles from right to left': [
    true,
    () =>
      summaryOf({
        slowdown: { h3: 1.3 },
        plan: { workloads: [{ id: 'page-a', kind: 'page', title: 'דף הבית של החנות' }] },
      }),
  ],
};

/** The pages of such runs. */
export const badInputPages: Readonly<
  Record<string, readonly [hasPicture: boolean, render: () => Promise<string>]>
> = Object.fromEntries(
  Object.entries(badInput).map(([name, [hasPicture, make]]) => [
    name,
    [hasPicture, () => renderHtmlReport(make())],
  ]),
);
