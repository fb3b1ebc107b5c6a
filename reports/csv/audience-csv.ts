import type { AudienceAnswer } from '../../src/core/model/audience.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { type CsvColumn, csvTable } from './csv-text.ts';

interface Row {
  readonly answer: AudienceAnswer;
  readonly segment: AudienceAnswer['segments'][number];
}

const columns: readonly CsvColumn<Row>[] = [
  ['workload_kind', ({ answer }) => answer.workloadKind],
  ['metric', ({ answer }) => answer.metric],
  ['unit', ({ answer }) => answer.unit],
  ['baseline_arm', ({ answer }) => answer.baselineArm],
  ['candidate_arm', ({ answer }) => answer.candidateArm],
  ['network', ({ segment }) => segment.network],
  ['segment', ({ segment }) => segment.title],
  ['share', ({ segment }) => segment.share],
  ['blocks', ({ segment }) => segment.blocks],
  ['ratio', ({ segment }) => segment.ratio],
  ['ratio_95_low', ({ segment }) => segment.ratioInterval?.[0]],
  ['ratio_95_high', ({ segment }) => segment.ratioInterval?.[1]],
  ['difference', ({ segment }) => segment.difference],
  ['difference_95_low', ({ segment }) => segment.differenceInterval?.[0]],
  ['difference_95_high', ({ segment }) => segment.differenceInterval?.[1]],
];

/** One row a segment of the audience and a pair of arms; undefined of a run without an audience. */
export function renderAudienceCsv(summary: Summary): string | undefined {
  checkSummary(summary);
  if (summary.audience === undefined) return undefined;
  return csvTable(
    columns,
    summary.audience.answers.flatMap((answer) => answer.segments.map((segment) => ({ answer, segment }))),
  );
}
