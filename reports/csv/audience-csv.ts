import { audienceNetwork } from '../../src/core/model/audience-network.ts';
import type { AudienceAnswer } from '../../src/core/model/audience.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { workloadsApart } from '../format/audience-change.ts';
import { type CsvColumn, csvTable } from './csv-text.ts';

interface Row {
  readonly answer: AudienceAnswer;
  readonly network: string;
  readonly segment: string;
  readonly workload: string;
  readonly share: number;
  readonly blocks: number;
  readonly change: AudienceAnswer['whole'];
}

const columns: readonly CsvColumn<Row>[] = [
  ['workload_kind', ({ answer }) => answer.workloadKind],
  ['metric', ({ answer }) => answer.metric],
  ['unit', ({ answer }) => answer.unit],
  ['baseline_arm', ({ answer }) => answer.baselineArm],
  ['candidate_arm', ({ answer }) => answer.candidateArm],
  ['network', ({ network }) => network],
  ['segment', ({ segment }) => segment],
  ['share', ({ share }) => share],
  ['blocks', ({ blocks }) => blocks],
  ['ratio', ({ change }) => change.ratio],
  ['ratio_low', ({ change }) => change.ratioInterval?.[0]],
  ['ratio_high', ({ change }) => change.ratioInterval?.[1]],
  ['difference', ({ change }) => change.difference],
  ['difference_low', ({ change }) => change.differenceInterval?.[0]],
  ['difference_high', ({ change }) => change.differenceInterval?.[1]],
  ['interval_level', ({ answer }) => answer.level],
  ['workload', ({ workload }) => workload],
];

/** The whole audience, then each segment, and below it its workloads where it has several. */
function rowsOf(answer: AudienceAnswer): Row[] {
  const { whole, measuredShare, blocks, segments } = answer;
  return [
    {
      answer,
      network: audienceNetwork,
      segment: '',
      workload: '',
      share: measuredShare,
      blocks,
      change: whole,
    },
    ...segments.flatMap((segment): Row[] => {
      const place = { answer, network: segment.network, segment: segment.title, blocks: segment.blocks };
      const own = { ...place, workload: '', share: segment.share, change: segment };
      const parts = workloadsApart(segment).map((part): Row => ({
        ...place,
        workload: part.workload,
        share: part.share,
        change: part,
      }));
      return [own, ...parts];
    }),
  ];
}

/** A row for the whole audience, each segment and each of its workloads, of each pair of arms; undefined of a run without an audience. */
export function renderAudienceCsv(summary: Summary): string | undefined {
  checkSummary(summary);
  if (summary.audience === undefined) return undefined;
  return csvTable(columns, summary.audience.answers.flatMap(rowsOf));
}
