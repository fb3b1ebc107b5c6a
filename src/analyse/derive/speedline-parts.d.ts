/** The inner modules of speedline-core 1.4, which ships types for its main function only. */
declare module 'speedline-core/lib/frame.js' {
  import type { Output } from 'speedline-core';
  type SpeedlineFrame = Output['frames'][number];
  const frame: { create(jpeg: Buffer, timestampMs: number): SpeedlineFrame };
  export default frame;
}

declare module 'speedline-core/lib/speed-index.js' {
  import type { Output } from 'speedline-core';
  type SpeedlineFrame = Output['frames'][number];
  /** All that the visual progress needs of a frame; only frames that are decoded have an image. */
  type ProgressFrame = Pick<SpeedlineFrame, 'getHistogram' | 'getTimeStamp' | 'setProgress'> & {
    /** Null: not computed yet. */
    getProgress(): number | null;
    getPerceptualProgress(): number | null;
  };
  const speedIndex: {
    /** Sets the progress of each frame, 0 to 100, between the first and the last one by their colour histograms. */
    calculateVisualProgress(
      frames: readonly ProgressFrame[],
      options?: { readonly fastMode?: boolean },
    ): void;
    /** @param data.startTs moment from which the index counts, on the clock of the frames; not 0. */
    calculateSpeedIndexes(
      frames: readonly ProgressFrame[],
      data: { readonly startTs: number },
    ): { readonly firstPaintTs: number; readonly visuallyCompleteTs?: number; readonly speedIndex?: number };
  };
  export default speedIndex;
}
