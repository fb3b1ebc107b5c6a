import type { ChunkMetric } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { csvField, csvText } from './csv-text.ts';
import type { CsvField } from './csv-text.ts';

type Session = Omit<TrialRecord, 'metrics'>;

const columns: readonly (readonly [string, (session: Session, chunk: ChunkMetric) => CsvField])[] = [
  ['workload', ({ workload }) => workload],
  ['client', ({ client }) => client],
  ['network', ({ network }) => network],
  ['server', ({ server }) => server],
  ['block_index', ({ blockIndex }) => blockIndex],
  ['arm', ({ arm }) => arm],
  ['instrumentation', ({ instrumentation }) => instrumentation],
  ['trial', ({ trialId }) => trialId],
  ['status', ({ status }) => status],
  ['chunk_index', (_, { index }) => index],
  ['track', (_, { representation }) => representation],
  ['bitrate_kbps', (_, { bitrateKbps }) => bitrateKbps],
  ['play_ms', (_, { durationMs }) => durationMs],
  ['bytes', (_, { bytes }) => bytes],
  ['requested_at_ms', (_, { requestStartMs }) => requestStartMs],
  ['first_byte_ms', (_, { firstByteMs }) => firstByteMs],
  ['last_byte_ms', (_, { lastByteMs }) => lastByteMs],
  ['throughput_mbps', (_, { throughputMbps }) => throughputMbps],
  ['buffer_seconds', (_, { bufferLevelSeconds }) => bufferLevelSeconds],
];

export const chunkColumns: readonly string[] = columns.map(([name]) => name);

/** Whether any trial was a session that fetched chunks of video. */
export function hasChunks(records: readonly TrialRecord[]): boolean {
  return records.some(({ metrics }) => (metrics.chunks ?? []).length > 0);
}

/** One row a chunk of each session, in order of play within it. In parts: a long run has millions of them. */
export function* chunkParts(records: readonly TrialRecord[]): Generator<string> {
  yield csvText([chunkColumns]);
  for (const { metrics, ...session } of records) {
    const lines = (metrics.chunks ?? []).map((chunk) =>
      columns.map(([, valueOf]) => csvField(valueOf(session, chunk))).join(','),
    );
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`;
  }
}
