import { representationId } from './ladders/ladder.ts';
import type { LadderForm, VideoCodec } from './ladders/ladder.ts';
import { ladders } from './ladders/registry.ts';

export interface LadderDescription {
  readonly id: string;
  readonly title: string;
  readonly codec: VideoCodec;
  readonly form: LadderForm;
  readonly framesPerSecond: number;
  readonly gopSeconds: number;
  readonly chunkSeconds: readonly number[];
  /** Null: as long as the session. */
  readonly mediaSeconds: number | null;
  readonly tracks: readonly {
    readonly representation: string;
    readonly bitrateKbps: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** What `h2h3 describe ladders --json` prints. */
export function describeLadders(): readonly LadderDescription[] {
  return ladders.map((ladder) => ({
    id: ladder.id,
    title: ladder.title,
    codec: ladder.codec,
    form: ladder.form,
    framesPerSecond: ladder.framesPerSecond,
    gopSeconds: ladder.gopSeconds,
    chunkSeconds: ladder.chunkSeconds,
    mediaSeconds: ladder.mediaSeconds === 'session' ? null : ladder.mediaSeconds,
    tracks: ladder.tracks.map((track) => ({ representation: representationId(track), ...track })),
  }));
}
