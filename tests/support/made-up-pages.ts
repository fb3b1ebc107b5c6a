import { renderRunComparison } from '../../reports/html/compare/render-run-comparison.ts';
import { renderTrendPage } from '../../reports/html/history/render-trend-page.ts';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { compareRuns } from '../../src/analyse/compare-runs/compare-runs.ts';
import { judgeGate } from '../../src/analyse/gate/judge-gate.ts';
import { withGateHeadline } from '../../src/analyse/gate/with-gate-headline.ts';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { parseArms } from '../../src/plan/arms.ts';
import { environmentFixture } from './environment-fixture.ts';
import { generateGateRun } from './gate-run.ts';
import { generateRun } from './generated-run.ts';
import { trendFixture } from './trend-fixture.ts';

function gateSummary(): Summary {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h3': 1.25 } });
  const environment = environmentFixture(['old', 'new'], ['host']);
  const summary = summarise(plan, records, environment, []);
  return withGateHeadline(summary, judgeGate(plan, records, { environment }));
}

function versionsSummary(): Summary {
  const versions = ['148', '153'];
  const arms = versions.flatMap((version) => [`chromium@${version}:h2`, `chromium@${version}:h3`]);
  const { plan, records } = generateRun({
    arms: parseArms(arms),
    blocks: 12,
    slowdown: { 'chromium@153:h3': 1.2, 'chromium@153:h2': 1.02 },
  });
  const clients = versions.map((version) => `chromium@${version}`);
  return summarise(plan, records, environmentFixture(clients, ['host']), []);
}

function nightSummary(seed: number, slowdown: number): Summary {
  const { plan, records } = generateRun({ seed, slowdown: { h3: slowdown }, plan: { name: 'nightly' } });
  return summarise(plan, records, environmentFixture(['chromium'], ['host']), []);
}

/** Pages of every kind beside the report of a run, by name, from made-up figures; the same at each call. */
export async function madeUpPages(): Promise<Readonly<Record<string, string>>> {
  const monday = { folder: 'monday', summary: nightSummary(1, 1) };
  const tuesday = { folder: 'tuesday', summary: nightSummary(2, 1.2) };
  return {
    versions: await renderHtmlReport(versionsSummary()),
    'gate-failed': await renderHtmlReport(gateSummary()),
    history: await renderTrendPage(trendFixture()),
    compare: await renderRunComparison(compareRuns(monday, tuesday)),
  };
}
