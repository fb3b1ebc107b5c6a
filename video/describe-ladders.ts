import { estimateEncode } from './encoder/estimate.ts';
import { generatedFilmSeconds } from './film-length.ts';
import { representationId } from './ladders/ladder.ts';
import type { Ladder, LadderForm, VideoCodec } from './ladders/ladder.ts';
import { ladders } from './ladders/registry.ts';
import { sessionProfiles } from './session-profiles.ts';

export interface LadderDescription {
  readonly id: string;
  readonly title: string;
  readonly codec: VideoCodec;
  readonly form: LadderForm;
  readonly framesPerSecond: number;
  readonly gopSeconds: number;
  readonly chunkSeconds: readonly number[];
  /** Sessions that can be played. */
  readonly playSeconds: readonly number[];
  /** CPU time of a first encode for the default session (s); afterwards it is cached. */
  readonly encodeCpuSeconds: number;
  readonly tracks: readonly {
    readonly representation: string;
    readonly bitrateKbps: number;
    readonly width: number;
    readonly height: number;
  }[];
}

function usualLength(ladder: Ladder): { readonly filmSeconds: number; readonly mediaSeconds: number } {
  const mediaSeconds = sessionProfiles[0]?.playSeconds ?? 0;
  return { mediaSeconds, filmSeconds: generatedFilmSeconds(ladder, mediaSeconds) };
}

/** What `h2h3 describe ladders --json` prints. */
export function describeLadders(): readonly LadderDescription[] {
  return ladders().map((ladder) => ({
    id: ladder.id,
    title: ladder.title,
    codec: ladder.codec,
    form: ladder.form,
    framesPerSecond: ladder.framesPerSecond,
    gopSeconds: ladder.gopSeconds,
    chunkSeconds: ladder.chunkSeconds,
    playSeconds: sessionProfiles.map((profile) => profile.playSeconds),
    encodeCpuSeconds: Math.ceil(estimateEncode(ladder, usualLength(ladder)).cpuSeconds),
    tracks: ladder.tracks.map((track) => ({ representation: representationId(track), ...track })),
  }));
}
