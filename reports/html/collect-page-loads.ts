import type { TrialEvidence } from '../../src/core/model/derive.ts';
import { hasErrno, messageOf } from '../../src/core/model/errors.ts';
import { isOfCondition } from '../../src/core/model/factor.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { isNumber, plural } from '../format/numbers.ts';
import { pageLoadsToShow } from './page-loads.ts';
import type { PageLoadChoice, PageLoadEvidence } from './page-loads.ts';

/** Reads back what a trial left; may throw where that is missing or damaged. */
export type ReadTrial = (
  trialId: string,
) => Pick<TrialEvidence, 'raw' | 'har' | 'frameImages'> & Pick<PageLoadEvidence, 'progress'>;

export interface PageLoadsCollected {
  readonly pageLoads: readonly PageLoadEvidence[];
  /** What could not be read, and why; such a load is left out of the report. */
  readonly warnings: readonly string[];
}

/** Recorded trials that are ok by what is the same in a choice and its record; few of them differ in the rest. */
type RecordIndex = ReadonlyMap<string, readonly TrialRecord[]>;

const indexKey = (workload: string, arm: string, blockIndex: number): string =>
  `${workload}\0${arm}\0${blockIndex}`;

function indexOf(records: readonly TrialRecord[]): RecordIndex {
  const ok = records.filter(
    ({ status, instrumentation }) => status === 'ok' && instrumentation === 'instrumented',
  );
  return Map.groupBy(ok, ({ workload, arm, blockIndex }) => indexKey(workload, arm, blockIndex));
}

function recordOf(choice: PageLoadChoice, arm: string, records: RecordIndex): TrialRecord | undefined {
  const { workload, blockIndex } = choice;
  return records.get(indexKey(workload, arm, blockIndex))?.find((record) => isOfCondition(choice, record));
}

function evidenceOf(
  choice: PageLoadChoice,
  arm: string,
  record: TrialRecord,
  read: ReadTrial,
): PageLoadEvidence[] {
  const { trialId, metrics } = record;
  const { har, raw, frameImages, progress } = read(trialId);
  if (har === null) return [];
  const { workload, client, network, server, blockIndex } = choice;
  const frames = frameImages.map((jpeg, i) => ({ jpeg, tMs: raw.frames?.[i]?.tMs ?? 0 }));
  const curve = progress === undefined ? {} : { progress };
  const paint = (name: string): number | null => (isNumber(metrics[name]) ? metrics[name] : null);
  const paints = { fcpMs: paint('fcpMs'), lcpMs: paint('lcpMs') };
  const schedule = raw.linkSchedule === undefined ? {} : { linkSchedule: raw.linkSchedule.down };
  const seen = { har, paints, frames, ...curve, ...schedule };
  return [{ workload, client, network, server, blockIndex, arm, trialId, ...seen }];
}

/** Journals are kept and copied without the folder of their trials, so that this is one line. */
function goneWords(trialIds: readonly string[]): string[] {
  const [first] = trialIds;
  if (first === undefined) return [];
  return [
    `${plural(trialIds.length, 'trial')} cannot be shown from inside: their files are no longer in the run directory (the first: ${first})`,
  ];
}

/**
 * The page loads that a report of this run shows from inside. What is missing or broken is left out and named; it is
 * no reason to have no report.
 */
export function collectPageLoads(
  summary: Summary,
  records: readonly TrialRecord[],
  read: ReadTrial,
): PageLoadsCollected {
  const pageLoads: PageLoadEvidence[] = [];
  const warnings: string[] = [];
  const gone: string[] = [];
  const index = indexOf(records);
  for (const choice of pageLoadsToShow(summary, records)) {
    for (const arm of choice.arms) {
      const record = recordOf(choice, arm, index);
      if (record === undefined) continue;
      const { trialId } = record;
      try {
        pageLoads.push(...evidenceOf(choice, arm, record, read));
      } catch (thrown) {
        if (hasErrno(thrown, 'ENOENT')) gone.push(trialId);
        else warnings.push(`${trialId} cannot be shown from inside: ${messageOf(thrown)}`);
      }
    }
  }
  return { pageLoads, warnings: [...warnings, ...goneWords(gone)] };
}
