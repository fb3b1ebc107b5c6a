export type VideoCodec = 'h264' | 'vp9' | 'av1';

/** One quality of a ladder; its representation id in the manifest is `representationId(track)`. */
export interface LadderTrack {
  readonly bitrateKbps: number;
  readonly width: number;
  readonly height: number;
}

/**
 * How a track reaches its bitrate.
 * `padded`: all tracks carry the same small encode, and every segment is filled up with a trailing `free` box to
 * exactly bitrate × duration ÷ 8 bytes: the network carries the full rate, the decoder almost nothing.
 * `constant`: encoded at that rate with filler, every GOP the same size.
 * `capped`: encoded at that mean rate, peaks limited, as services do.
 */
export type LadderForm = 'padded' | 'constant' | 'capped';

/** A bitrate ladder: what a DASH session can choose from. An entry of `catalogue.ts`, and its line in `registry.ts`. */
export interface Ladder {
  readonly id: string;
  readonly title: string;
  readonly codec: VideoCodec;
  readonly form: LadderForm;
  readonly framesPerSecond: number;
  /** The same as a fraction, such as `30000/1001`, where an own video's is no whole number. */
  readonly frameRate?: string;
  /** Of an own video's colours; absent: 8. */
  readonly bits?: 8 | 10;
  /** Every GOP is closed and this long, so chunks of any whole multiple are cut from one encode (s). */
  readonly gopSeconds: number;
  /** Offered chunk lengths (s), each a multiple of `gopSeconds`. */
  readonly chunkSeconds: readonly number[];
  /** Ascending by bitrate. */
  readonly tracks: readonly LadderTrack[];
  /** What a padded ladder really carries: its one encode. */
  readonly base?: { readonly maxBitrateKbps: number; readonly quantiser: number };
  /** The number of each frame, from 1, is drawn into its picture, and each frame is a fragment of its own. Absent: neither. */
  readonly numbersFrames?: true;
  /** In which codec generated pictures have a generated sound; absent: they have none. An own video has its own. */
  readonly sound?: 'aac';
  /** Media Source quota the browser needs (10^6 bytes); 0 leaves the browser's own. */
  readonly mediaBufferMegabytes: number;
}

/** Frames a second as ffmpeg and manifests read it. */
export function frameRateOf({
  framesPerSecond,
  frameRate,
}: Pick<Ladder, 'framesPerSecond' | 'frameRate'>): string {
  return frameRate ?? String(framesPerSecond);
}

export function representationId(track: Pick<LadderTrack, 'bitrateKbps'>): string {
  return `${track.bitrateKbps}k`;
}
