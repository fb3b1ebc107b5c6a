import { join } from 'node:path';
import { representationId, type Ladder } from '../../../video/ladders/ladder.ts';
import { ladders } from '../../../video/ladders/registry.ts';
import { stallsOf } from '../../core/metrics/evidence/stalls.ts';
import { keptChunks, playedChunks } from '../../core/metrics/evidence/video-chunks.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import type { VideoSession } from '../../core/model/session.ts';
import { readEvidence } from '../../store/evidence.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { writeWhole } from '../../core/system/write-whole.ts';

const inputFile = 'p1203.json';
const streamId = 1;
/** What the model asks of the screen; VMAF's is of the same size. */
const screen = { device: 'pc', displaySize: '1920x1080', viewingDistance: '150cm' };

/** What is played by a track's name. */
export type PlayedPictures = Pick<Ladder, 'codec'> & NonNullable<PreparedWorkload['pictures']>;

/** The pictures of a ladder, where no own video has others. */
export function picturesOf({ codec, framesPerSecond, tracks }: Ladder): PlayedPictures {
  const resolutions = tracks.map(
    (track) => [representationId(track), `${track.width}x${track.height}`] as const,
  );
  return { codec, framesPerSecond, resolutions: Object.fromEntries(resolutions) };
}

/**
 * A session as ITU-T P.1203 takes it in its mode 0: bitrate (kbit/s), resolution, frame rate and codec of each segment that
 * was played, and the waits (`[media second, seconds]`, the first is that before the first frame). Its model is no part of
 * h2h3: its licence forbids to pass it on.
 */
export function p1203Input(session: VideoSession, { codec, ...played }: PlayedPictures): object {
  const kbps = new Map(
    session.chunks.map(({ representation, mediaStartSeconds, bytes, durationSeconds }) => [
      `${representation} ${mediaStartSeconds}`,
      (bytes * 8) / 1000 / durationSeconds,
    ]),
  );
  const segments = playedChunks(session).map(
    ({ representation, bitrateKbps, mediaStartSeconds, playedSeconds }) => ({
      bitrate: kbps.get(`${representation} ${mediaStartSeconds}`) ?? bitrateKbps,
      codec,
      duration: playedSeconds,
      fps: played.framesPerSecond,
      resolution: played.resolutions[representation] ?? 'unknown',
      start: mediaStartSeconds,
    }),
  );
  return {
    I11: { segments: soundOf(session, codec), streamId },
    I13: { segments, streamId },
    I23: { stalling: waitsOf(session), streamId },
    IGen: screen,
  };
}

/** Sound that the model knows: that of H.264 ladders is AAC, and of Opus it says nothing. */
function soundOf({ sound, playedSeconds }: VideoSession, codec: Ladder['codec']): readonly object[] {
  if (sound === undefined || codec !== 'h264') return [];
  return keptChunks(sound.chunks)
    .filter(({ mediaStartSeconds }) => mediaStartSeconds < playedSeconds)
    .map(({ mediaStartSeconds, durationSeconds }) => ({
      bitrate: sound.bitrateKbps,
      codec: 'aaclc',
      duration: Math.min(durationSeconds, playedSeconds - mediaStartSeconds),
      start: mediaStartSeconds,
    }));
}

/** Waits for the network alone: what the decoder does is none of the model's. */
function waitsOf(session: VideoSession): readonly (readonly [number, number])[] {
  const { firstFrameMs, loadCallMs, stalls } = session;
  const first = firstFrameMs === null ? [] : [[0, (firstFrameMs - loadCallMs) / 1000] as const];
  const later = stallsOf(session).network.intervals.map(([startMs, endMs]) => {
    const { mediaSeconds = 0 } = stalls.find((stall) => stall.startMs - loadCallMs === startMs) ?? {};
    return [mediaSeconds, (endMs - startMs) / 1000] as const;
  });
  return [...first, ...later];
}

/** The ladder that a workload plays, also of an own video. */
function ladderOf(workload: string): Ladder | undefined {
  const named = ladders().filter(({ id }) => new RegExp(`^video-${id}(?:@.+)?-\\d+s-`).test(workload));
  return named.toSorted((a, b) => b.id.length - a.id.length)[0];
}

/**
 * Writes the input of P.1203 next to the evidence of each valid session.
 *
 * @returns how many
 * @throws H2h3Error `usage` for a run without valid sessions, `storage`
 */
export function writeP1203Inputs(directory: RunDirectory): number {
  let count = 0;
  for (const { trialId, workload, status } of directory.journal().records) {
    const ladder = ladderOf(workload);
    if (status !== 'ok' || ladder === undefined) continue;
    const folder = directory.trialDir(trialId);
    const { raw, workload: prepared } = readEvidence(folder);
    const { session } = raw;
    if (session?.kind !== 'video') continue;
    const file = join(folder, inputFile);
    writeWhole(
      file,
      `${JSON.stringify(p1203Input(session, { ...picturesOf(ladder), ...prepared.pictures }), undefined, 1)}\n`,
    );
    count++;
  }
  if (count > 0) return count;
  throw new H2h3Error('usage', `${directory.path} has no valid video sessions`, {
    next: 'P.1203 judges video. `npx h2h3 describe ladders` lists what can be played.',
  });
}
