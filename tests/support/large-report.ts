import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderReportPages } from '../../reports/html/render-html-report.ts';
import type { ReportPage } from '../../reports/html/render-parts.ts';
import { pooledWorkload } from '../../src/analyse/comparison/pooled-drafts.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { diagnosisFixture } from './diagnosis-fixture.ts';
import { pageLoadFixture } from './page-load-fixture.ts';
import { summaryFixture } from './summary-fixture.ts';

/**
 * The largest report that is promised to stay quick: 100 pages × 20 blocks, each page with a load to look into, and, where it is
 * asked for, with an explanation of its difference.
 */
export async function writeLargeReport(
  folder: string,
  { isExplained = false } = {},
): Promise<{ readonly summary: Summary; readonly pages: readonly ReportPage[] }> {
  const plain = summaryFixture({ pages: 100, blocks: 20, videos: 10, downloads: 0 });
  const pages = plain.comparisons.filter(
    ({ metric, workload }) => metric === 'pltMs' && workload !== pooledWorkload,
  );
  const diagnosis = pages.map((one) => diagnosisFixture(one, { metric: 'pltMs' }));
  const summary = isExplained ? { ...plain, diagnosis } : plain;
  const pageLoads = summary.workloads
    .filter(({ kind }) => kind === 'page')
    .flatMap(({ id }) => ['h2', 'h3'].map((arm) => pageLoadFixture({ arm, workload: id, requests: 100 })));
  mkdirSync(path.join(folder, 'report'));
  const written = await renderReportPages(summary, { pageLoads });
  for (const one of written) writeFileSync(path.join(folder, one.path), one.text);
  return { summary, pages: written };
}
