/** What `page/frame-recorder.ts` hands over, as JSON. */
export interface RecordedFrames {
  /** Ms since the epoch to which `offsetMs` counts. */
  readonly startedEpochMs: number;
  readonly frames: readonly { readonly offsetMs: number; readonly jpegBase64: string }[];
}
