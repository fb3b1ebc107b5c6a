import type { Summary } from '../../src/core/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import { isNumber } from '../format/numbers.ts';
import type { PageChunkBitrates, PageLadderSteps } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';

type LadderSteps = NonNullable<Summary['ladderSteps']>[number];
type ChunkBitrates = NonNullable<Summary['chunkBitrates']>[number];
type Condition = Pick<LadderSteps, 'workload' | 'client' | 'network' | 'server'>;

function several(all: readonly Condition[], key: keyof Condition): boolean {
  return new Set(all.map((place) => place[key])).size > 1;
}

/** A title without the length of its chunks, which is an axis of its own. */
function withoutChunkLength(title: string): string {
  return title
    .replace(/,? ?\b\d+(?:\.\d+)? ?s chunks?\b/, '')
    .replace(/-\d+(?:\.\d+)?s\b/, '')
    .trim();
}

/** Media time by step of the ladder: one figure for each ladder, one bar for each arm of each condition. */
export function ladderSteps({ summary, labels }: ReportContext): PageLadderSteps[] {
  const all = summary.ladderSteps ?? [];
  const placeWords = (steps: LadderSteps): string =>
    [
      several(all, 'workload') ? labels.workload(steps.workload, 'video') : '',
      several(all, 'network') ? labels.network(steps.network) : '',
      several(all, 'client') ? labels.client(steps.client) : '',
      several(all, 'server') ? labels.server(steps.server) : '',
    ]
      .filter(Boolean)
      .join(', ');
  const ladders = Map.groupBy(all, ({ steps }) =>
    JSON.stringify(steps.map(({ bitrateKbps }) => bitrateKbps)),
  );
  return [...ladders.values()].map((members, index) => ({
    stepsMbps: members[0]?.steps.map(({ bitrateKbps }) => bitrateKbps / 1000) ?? [],
    bars: members.map((member) => ({
      arm: armTitle(member.arm),
      place: placeWords(member),
      sessions: member.sessions,
      shares: member.steps.map(({ timeShare }) => timeShare),
    })),
    fileName: `ladder-steps-${index + 1}`,
  }));
}

/** Bitrates of chunks by network and chunk length (as in Zhang et al. 2024, figure 9): one figure for each video, client and server. */
export function chunkBitrates({ summary, labels }: ReportContext): PageChunkBitrates[] {
  const all = summary.chunkBitrates ?? [];
  const titleOf = (bitrates: ChunkBitrates): string =>
    [
      withoutChunkLength(labels.workload(bitrates.workload, 'video')),
      several(all, 'client') ? labels.client(bitrates.client) : '',
      several(all, 'server') ? labels.server(bitrates.server) : '',
    ]
      .filter(Boolean)
      .join(', ');
  const groups = Map.groupBy(all, titleOf);
  return [...groups].map(([title, members], index) => {
    const conditionTitle = ({ network, chunkSeconds }: ChunkBitrates): string =>
      [several(all, 'network') ? labels.network(network) : '', `${chunkSeconds} s chunks`]
        .filter(Boolean)
        .join(', ');
    const sorted = members.toSorted(
      (a, b) =>
        summary.run.arms.indexOf(a.arm) - summary.run.arms.indexOf(b.arm) ||
        a.network.localeCompare(b.network) ||
        a.chunkSeconds - b.chunkSeconds,
    );
    return {
      title,
      places: [...new Set(sorted.map(conditionTitle))],
      arms: [...new Set(sorted.map(({ arm }) => arm))].map((arm) => ({ arm, title: armTitle(arm) })),
      boxes: sorted
        .filter(({ meanKbps, quantilesKbps }) => [meanKbps, ...quantilesKbps].every(isNumber))
        .map((bitrates) => ({
          place: conditionTitle(bitrates),
          arm: bitrates.arm,
          chunks: bitrates.chunks,
          meanMbps: bitrates.meanKbps / 1000,
          quantilesMbps: bitrates.quantilesKbps.map((kbps) => kbps / 1000),
        })),
      fileName: `chunk-bitrates-${index + 1}`,
    };
  });
}
