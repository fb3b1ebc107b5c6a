import { z } from 'zod';
import { parseForeignJson } from '../../core/model/bounded-json.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { Diagnosis, TimeLine } from '../../core/model/diagnosis.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { transportSeriesSchema } from '../../core/model/transport-series.ts';
import { readPackedText, readRaw } from '../../store/evidence.ts';
import { pathInside } from '../../store/path-inside.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { trialsOf } from './trials-of-diagnosis.ts';

/** Of unpacked text of one trial. */
const maxBytes = 64_000_000;

const socketsSchema = z.object({
  readings: z.array(
    z.object({
      tMs: z.number(),
      socket: z.string(),
      localPort: z.number().optional(),
      waitingBytes: z.number(),
      drops: z.number(),
    }),
  ),
});

/** How the connections went in the first block in which both arms have something of it; empty where none has. */
export function timeLinesOf(
  diagnosis: Diagnosis,
  records: readonly TrialRecord[],
  directory: RunDirectory,
  complain: (line: string) => void,
): TimeLine[] {
  const recorded = ({ artifacts }: TrialRecord): boolean =>
    'transportSeries' in artifacts || 'sockets' in artifacts;
  const [before, after] = [diagnosis.baselineArm, diagnosis.candidateArm].map((arm) =>
    trialsOf(diagnosis, arm, records).filter(recorded),
  );
  const first = before?.find(({ blockIndex }) => after?.some((other) => other.blockIndex === blockIndex));
  const pair = [first, after?.find(({ blockIndex }) => blockIndex === first?.blockIndex)];
  return pair.flatMap((record) => {
    if (record === undefined) return [];
    try {
      return [timeLineOf(record, directory)];
    } catch (thrown) {
      complain(`the time lines of ${record.trialId} cannot be read: ${messageOf(thrown)}`);
      return [];
    }
  });
}

function timeLineOf(record: TrialRecord, directory: RunDirectory): TimeLine {
  const { timings, session, linkSchedule } = readRaw(directory.trialDir(record.trialId));
  const startMs = timings?.timeOriginEpochMs ?? session?.timeOriginEpochMs ?? Date.parse(record.startedAt);
  const since = <T extends { readonly tMs: number }>(samples: readonly T[]): T[] =>
    thinned(samples.map((sample) => ({ ...sample, tMs: Math.round((sample.tMs - startMs) * 10) / 10 })));
  const { transportSeries, sockets } = record.artifacts;
  const connections =
    transportSeries === undefined
      ? []
      : transportSeriesSchema.parse(unpacked(directory, transportSeries)).connections;
  const readings = sockets === undefined ? [] : socketsSchema.parse(unpacked(directory, sockets)).readings;
  return {
    arm: record.arm,
    blockIndex: record.blockIndex,
    ...(linkSchedule === undefined ? {} : { linkSchedule: linkSchedule.down }),
    connections: connections.map(({ transport, side = 'server', name, samples }) => ({
      transport,
      side,
      name,
      samples: since(samples),
    })),
    sockets: [...Map.groupBy(readings, ({ socket }) => socket).values()]
      .filter((ofSocket) => ofSocket.some(({ waitingBytes, drops }) => waitingBytes > 0 || drops > 0))
      .map((ofSocket) => ({
        name: `UDP port ${ofSocket[0]?.localPort ?? 'unknown'}`,
        samples: since(
          ofSocket.map(({ tMs, waitingBytes, drops }) => ({ tMs, waitingBytes, droppedDatagrams: drops })),
        ),
      })),
  };
}

function unpacked(directory: RunDirectory, file: string): unknown {
  return parseForeignJson(readPackedText(pathInside(directory.path, file), 'series of a trial', maxBytes));
}

/** A time line is a few hundred pixels wide. */
const maxSamples = 240;

/** Samples evenly over the whole time, the first and the last among them; all where there are few. */
export function thinned<T>(samples: readonly T[]): T[] {
  if (samples.length <= maxSamples) return [...samples];
  const step = (samples.length - 1) / (maxSamples - 1);
  return Array.from({ length: maxSamples }, (_, index) => samples[Math.round(index * step)]).filter(
    (sample) => sample !== undefined,
  );
}
