import type { Diagnosis, LateChunk, NetworkingCpu } from '../../../src/core/model/diagnosis.ts';
import { armsOf } from '../../format/diagnosis-words.ts';
import { interventionSentence } from '../../format/intervention-sentence.ts';
import { armTitle } from '../../format/labels.ts';
import { formatNumber, formatShare, formatSigned } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import { scrolling } from '../scrolling.ts';

function spanText(interval: readonly [number, number] | null, unit = 'ms'): string {
  return interval === null
    ? 'no interval'
    : `${formatSigned(interval[0])} to ${formatSigned(interval[1])} ${unit}`;
}

function table(label: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return scrolling(
    label,
    markup`<table class="plain why"><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
  );
}

function row(head: string, cells: readonly Insert[]): Markup {
  return markup`<tr><th scope="row">${head}</th>${cells.map((cell) => markup`<td class="num">${cell}</td>`)}</tr>`;
}

/** Start and length, in the unit of the axis. */
type Stretch = readonly [start: number, length: number];

/** Two bars on one axis, the baseline's above the candidate's. */
function armBars(baseline: Stretch, candidate: Stretch, end: number): Markup {
  const rect = ([start, length]: Stretch, arm: 'a' | 'b'): Markup =>
    markup`<rect class="${arm}" x="${(100 * start) / end}" y="${arm === 'a' ? 1 : 9}" width="${(100 * length) / end}" height="6"/>`;
  return markup`<svg class="arm-bars" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">${rect(baseline, 'a')}${rect(candidate, 'b')}</svg>`;
}

/** A bar from the middle: to the left what makes the candidate faster, to the right what makes it slower. */
function partBar(ms: number, most: number): Markup {
  const width = Math.min(50, (Math.abs(ms) / most) * 50);
  const left = ms > 0 ? 50 : 50 - width;
  return markup`<svg class="part-bar v-${ms > 0 ? 'worse' : 'better'}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><path class="z" d="M50 0V8"/><rect x="${left}" y="1" width="${width}" height="6"/></svg>`;
}

/** The parts of a difference, which add up to it with what is not explained. */
export function partsTable({ parts, unexplainedMs }: Diagnosis, name: string): Markup {
  const most = Math.max(1, ...parts.map(({ ms }) => Math.abs(ms)), Math.abs(unexplainedMs));
  const attributed = parts.map(
    ({ cause, ms, interval, evidence, confirmed, interventions = [] }) =>
      markup`<tr><th scope="row">${cause}</th><td>${partBar(ms, most)}</td><td class="num">${formatSigned(ms)} ms</td><td class="num">${spanText(interval)}</td><td class="evidence">${evidence}${confirmed && markup` <small>✓ confirmed by an experiment</small>`}${interventions.map((result) => markup`<br><small>${interventionSentence(result)}</small>`)}</td></tr>`,
  );
  const rest = markup`<tr><th scope="row">not explained</th><td>${partBar(unexplainedMs, most)}</td><td class="num">${formatSigned(unexplainedMs)} ms</td><td></td><td></td></tr>`;
  const heads = ['Part', 'Share, faster ← → slower', 'Difference', '95 % interval', 'What shows it'];
  return table(`Parts of the difference: ${name}`, heads, [...attributed, rest]);
}

/** Where each arm's time went, stage after stage: a stage begins where the one before it ends. */
export function stageWaterfall(diagnosis: Diagnosis, name: string): Markup {
  const { stages } = diagnosis;
  const whole = (of: 'baselineMs' | 'candidateMs'): number =>
    stages.reduce((sum, stage) => sum + stage[of], 0);
  const endMs = Math.max(whole('baselineMs'), whole('candidateMs'));
  if (stages.length < 2 || endMs <= 0) return markup``;
  const { before, after } = armsOf(diagnosis);
  let baselineAt = 0;
  let candidateAt = 0;
  const rows = stages.map(({ title, baselineMs, candidateMs }) => {
    const bars = armBars([baselineAt, baselineMs], [candidateAt, candidateMs], endMs);
    [baselineAt, candidateAt] = [baselineAt + baselineMs, candidateAt + candidateMs];
    return row(title, [bars, `${formatNumber(baselineMs)} ms`, `${formatNumber(candidateMs)} ms`]);
  });
  const axis = `0 to ${formatNumber(endMs)} ms: ${before} above, ${after} below`;
  return markup`<h4>Stage after stage</h4>
    ${table(`Stages: ${name}`, ['Stage', axis, before, after], rows)}`;
}

/** What held a transfer back, as shares of its time. */
export function limitsTable(diagnosis: Diagnosis, name: string): Markup {
  const { limits = [] } = diagnosis;
  if (limits.length === 0) return markup``;
  const { before, after } = armsOf(diagnosis);
  const rows = limits.map(({ title, baselinePercent, candidatePercent, interval }) =>
    row(title, [
      armBars([0, baselinePercent], [0, candidatePercent], 100),
      formatShare(baselinePercent / 100),
      formatShare(candidatePercent / 100),
      spanText(interval, 'points'),
    ]),
  );
  const heads = ['Transfer', `0 to 100 %: ${before} above, ${after} below`, before, after, '95 % interval'];
  return markup`<h4>What the server waited for</h4>
    ${table(`Limits of the transfer: ${name}`, heads, rows)}`;
}

function cpuTable(
  { by, stages, blocks }: NetworkingCpu,
  { before, after }: ReturnType<typeof armsOf>,
  name: string,
): Markup {
  const most = Math.max(1, ...stages.flatMap(({ baselineMs, candidateMs }) => [baselineMs, candidateMs]));
  const rows = stages.map(({ title, baselineMs, candidateMs, interval }) =>
    row(title, [
      armBars([0, baselineMs], [0, candidateMs], most),
      `${formatNumber(baselineMs)} ms`,
      `${formatNumber(candidateMs)} ms`,
      spanText(interval),
    ]),
  );
  const sum = (of: 'baselineMs' | 'candidateMs'): string =>
    `${formatNumber(stages.reduce((all, stage) => all + stage[of], 0))} ms`;
  const words = by === 'task' ? 'tasks of the browser’s trace' : 'symbols of sampled stacks';
  return markup`<h4>CPU time of the client’s networking process, by ${words}</h4>
    ${table(
      `CPU stages by ${words}: ${name}`,
      ['Stage', `${before} above, ${after} below`, before, after, `95 % interval, ${blocks} blocks`],
      [...rows, row('all', ['', sum('baselineMs'), sum('candidateMs'), ''])],
    )}`;
}

/** What the client's networking process computed for, in each way in which it was recorded. */
export function cpuTables(diagnosis: Diagnosis, name: string): Markup[] {
  return (diagnosis.networkingCpu ?? []).map((division) => cpuTable(division, armsOf(diagnosis), name));
}

const lateWords: Readonly<Record<LateChunk['why'], string>> = {
  'first-byte': 'waited longer for its first byte than it took',
  'slower-than-playback': 'came slower than it plays',
  'asked-for-late': 'fast enough, but asked for too late',
};

/** The chunks of a video that playback stood still for. */
export function lateChunksTable({ lateChunks = [] }: Diagnosis, name: string): Markup {
  if (lateChunks.length === 0) return markup``;
  const rows = lateChunks.map((chunk) =>
    row(`${armTitle(chunk.arm)}, chunk ${chunk.index + 1}`, [
      `${formatNumber(chunk.stallMs)} ms`,
      chunk.trials,
      `${formatNumber(chunk.bitrateKbps / 1000)} Mbit/s`,
      `${formatNumber(chunk.throughputMbps)} Mbit/s`,
      `${formatNumber(chunk.firstByteMs)} ms`,
      `${formatNumber(chunk.transferMs)} ms`,
      `${formatNumber(chunk.bufferAtRequestSeconds)} s`,
      lateWords[chunk.why],
    ]),
  );
  const heads = [
    'Chunk',
    'Stall',
    'Trials',
    'Bitrate',
    'Throughput',
    'First byte',
    'Transfer',
    'Buffer',
    'Why',
  ];
  return markup`<h4>Chunks that came too late</h4>
    ${table(`Late chunks: ${name}`, heads, rows)}`;
}
