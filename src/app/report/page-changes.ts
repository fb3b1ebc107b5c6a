import { pageChanges } from '../../analyse/requests/page-changes.ts';
import type { BlockOfHars } from '../../analyse/requests/page-changes.ts';
import { messageOf } from '../../core/model/errors.ts';
import { isOfCondition } from '../../core/model/factor.ts';
import type { Har } from '../../core/model/har.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { PageChanges } from '../../core/model/request-changes.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';

/** HARs read for one report; each takes some milliseconds. */
const maxHars = 600;

export interface ChangesCollected {
  readonly changes: readonly PageChanges[];
  readonly warnings: readonly string[];
}

/** How far the candidate loses, as a logarithm. */
function loss({ ratio }: Comparison): number {
  return ratio === null || ratio <= 0 ? -Infinity : Math.log(ratio);
}

function harsOf(
  comparison: Comparison,
  records: readonly TrialRecord[],
  read: (trialId: string) => Har | null,
): BlockOfHars[] {
  const { baseline, candidate } = comparison;
  const own = records.filter(
    (record) =>
      record.status === 'ok' &&
      record.instrumentation === 'instrumented' &&
      isOfCondition(comparison, record),
  );
  const blocks = Map.groupBy(own, ({ blockIndex }) => blockIndex);
  return [...blocks.values()].flatMap((block) => {
    const [a, b] = [baseline.arm, candidate.arm].map((arm) => {
      const record = block.find((record) => record.arm === arm);
      return record === undefined ? null : read(record.trialId);
    });
    return a && b ? [{ baseline: a, candidate: b }] : [];
  });
}

/**
 * What changed inside each page over all its recorded blocks, the pages that lose most first, as far as the HARs of the run can be
 * read in good time. A page whose files are gone or damaged is left out and named.
 */
export function collectPageChanges(
  summary: Summary,
  records: readonly TrialRecord[],
  read: (trialId: string) => Har | null,
): ChangesCollected {
  const main =
    summary.comparisons.find((comparison) => comparison.primary && comparison.workloadKind === 'page')
      ?.metric ?? 'pltMs';
  const pages = summary.comparisons
    .filter(
      ({ workloadKind, workload, metric }) =>
        workloadKind === 'page' && workload !== 'pooled' && metric === main,
    )
    .toSorted((a, b) => loss(b) - loss(a));
  const changes: PageChanges[] = [];
  const warnings: string[] = [];
  let left = maxHars;
  for (const page of pages) {
    if (left < 2 * page.blocks) break;
    left -= 2 * page.blocks;
    try {
      const hars = harsOf(page, records, read);
      if (hars.length === 0) continue;
      const { workload, client, network, server, baseline, candidate } = page;
      const condition = {
        workload,
        client,
        network,
        server,
        baselineArm: baseline.arm,
        candidateArm: candidate.arm,
      };
      changes.push(pageChanges(condition, hars));
    } catch (thrown) {
      warnings.push(`${page.workload}: requests could not be compared over its blocks: ${messageOf(thrown)}`);
    }
  }
  return { changes, warnings };
}
