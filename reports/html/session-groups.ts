import { blockName } from '../../src/core/model/block-name.ts';
import { fitsCondition } from '../../src/core/model/factor.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { isNumber } from '../format/numbers.ts';
import { linkBands } from './link-bands.ts';
import type { PageSession, PageSessionBlock, PageSessionGroup } from './page-data.ts';

type SessionSummary = Summary['sessions'][number];

/** Buffer samples kept per session; more cannot be told apart on a screen. */
const maxBufferSamples = 160;
/** Sessions embedded in one page; beyond this a page grows past what opens quickly. */
const maxSessions = 160;

function thin<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => items[Math.round(i * step)] as T);
}

/** As many digits as a plot can show; a figure that is none stays none. */
function significant(value: number, digits: number): number {
  return isNumber(value) ? Number(value.toPrecision(digits)) : value;
}

function whole(value: number): number {
  return Math.round(value);
}

/** Stalls can be shorter than a millisecond. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function spans(stalls: SessionSummary['stalls']): PageSession['stalls'] {
  return stalls.map(([startMs, endMs]) => [tenths(startMs), tenths(endMs)]);
}

function pageSession(session: SessionSummary): PageSession {
  const { arm, trialId, startupDelayMs, chunks, bufferLevelSeconds, stalls } = session;
  return {
    arm,
    title: armTitle(arm),
    trialId,
    startupDelayMs,
    chunks: chunks
      .filter(({ requestStartMs, lastByteMs }) => isNumber(requestStartMs) && isNumber(lastByteMs))
      .map(({ requestStartMs, lastByteMs, bitrateKbps, throughputMbps }) => [
        whole(requestStartMs),
        whole(lastByteMs),
        bitrateKbps,
        significant(throughputMbps, 4),
      ]),
    buffer: thin(bufferLevelSeconds, maxBufferSamples).map(([tMs, level]) => [
      whole(tMs),
      significant(level, 3),
    ]),
    stalls: spans(stalls),
    decodeStalls: spans(session.decodeStalls ?? []),
  };
}

function blocksOf(
  sessions: readonly SessionSummary[],
  arms: readonly string[],
  { comparison, repetitions }: { comparison: Comparison | undefined; repetitions: number },
): PageSessionBlock[] {
  const byBlock = Map.groupBy(sessions, ({ blockIndex }) => blockIndex);
  return inOrderOfTelling([...byBlock.keys()], comparison).map(({ blockIndex, place }) => {
    const members = byBlock.get(blockIndex) ?? [];
    return {
      blockIndex,
      block: blockName(blockIndex, repetitions),
      place,
      linkRate: maxLinkRate(members),
      linkBands: linkBands(maxSchedule(members)),
      sessions: members.toSorted((a, b) => arms.indexOf(a.arm) - arms.indexOf(b.arm)).map(pageSession),
    };
  });
}

/** Arms begin within a second of each other in the same trace; the one that plays longest has all of it. */
function maxLinkRate(sessions: readonly SessionSummary[]): NonNullable<SessionSummary['linkRateMbps']> {
  return sessions
    .map(({ linkRateMbps = [] }) => linkRateMbps)
    .reduce((longest, rates) => (rates.length > longest.length ? rates : longest), []);
}

/** Likewise of a schedule. */
function maxSchedule(sessions: readonly SessionSummary[]): SessionSummary['linkSchedule'] {
  const endOf = ({ linkSchedule = [] }: SessionSummary): number => linkSchedule.at(-1)?.toMs ?? 0;
  return sessions.toSorted((a, b) => endOf(b) - endOf(a))[0]?.linkSchedule;
}

/**
 * The block that is most like the result, the best and the worst for the candidate, then the others, the closest to the result
 * first.
 */
function inOrderOfTelling(
  blocks: readonly number[],
  comparison: Comparison | undefined,
): { readonly blockIndex: number; readonly place: string }[] {
  const gains = new Map(blocks.map((block) => [block, gainOf(comparison, block)]));
  const known = blocks
    .filter((block) => isNumber(gains.get(block)))
    .sort((a, b) => (gains.get(a) ?? 0) - (gains.get(b) ?? 0));
  const middle = middleOf(comparison);
  const distance = (block: number): number => {
    const apart = Math.abs((gains.get(block) ?? NaN) - middle);
    return isNumber(apart) ? apart : Infinity;
  };
  const closest = blocks.toSorted((a, b) => distance(a) - distance(b) || a - b);
  const candidate = comparison === undefined ? '' : armTitle(comparison.candidate.arm);
  const ends = [
    { blockIndex: known.at(-1), place: `best for ${candidate}` },
    { blockIndex: known[0], place: `worst for ${candidate}` },
  ].flatMap(({ blockIndex, place }) =>
    blockIndex === undefined || blockIndex === closest[0] ? [] : [{ blockIndex, place }],
  );
  const first = closest.slice(0, 1).map((blockIndex) => ({ blockIndex, place: 'closest to the result' }));
  const told = new Set([...first, ...ends].map(({ blockIndex }) => blockIndex));
  const others = closest.flatMap((blockIndex, i) =>
    told.has(blockIndex) ? [] : [{ blockIndex, place: `${i + 1}. closest` }],
  );
  return [...first, ...ends, ...others];
}

/** Sessions by condition, both arms of a block together, thinned to what a page can hold. */
export function sessionGroups(summary: Summary, labels: Labels): PageSessionGroup[] {
  const groups = Map.groupBy(summary.sessions, ({ workload, client, network }) =>
    JSON.stringify([workload, client, network]),
  );
  const share = Math.max(2, Math.floor(maxSessions / Math.max(1, groups.size)));
  return [...groups.values()].slice(0, maxSessions / 2).map((sessions) => {
    const { workload, client, network } = sessions[0] as SessionSummary;
    const comparison = summary.comparisons.find(
      (comparison) =>
        comparison.workload === workload &&
        fitsCondition(comparison.client, client) &&
        fitsCondition(comparison.network, network) &&
        comparison.primary,
    );
    const blocks = blocksOf(sessions, summary.run.arms, { comparison, repetitions: summary.run.repetitions });
    const armCount = Math.max(1, blocks[0]?.sessions.length ?? 1);
    const kept = Math.max(1, Math.floor(share / armCount));
    return {
      title: [labels.workload(workload, 'video'), labels.client(client), labels.network(network)].join(' · '),
      blocks: blocks.slice(0, kept),
      leftOut: Math.max(0, blocks.length - kept),
    };
  });
}

/** The result on the scale of `gainOf`. */
function middleOf(comparison: Comparison | undefined): number {
  if (comparison === undefined) return NaN;
  const { ratio, difference, higherIsBetter } = comparison;
  const middle = isNumber(ratio) ? Math.log(ratio) : (difference ?? NaN);
  return higherIsBetter ? middle : -middle;
}

/** By how much the candidate was better in a block: the logarithm of the ratio, or the difference of metrics that can be 0. */
function gainOf(comparison: Comparison | undefined, blockIndex: number): number {
  const [, baseline, candidate] = comparison?.values.find(([block]) => block === blockIndex) ?? [];
  if (comparison === undefined || !isNumber(baseline) || !isNumber(candidate)) return NaN;
  const more = isNumber(comparison.ratio) ? Math.log(candidate / baseline) : candidate - baseline;
  return comparison.higherIsBetter ? more : -more;
}
