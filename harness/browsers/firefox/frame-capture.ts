import type { PageTimings } from '../../../src/model/raw-trial.ts';
import type { CapturedFrame } from '../browser.ts';
import { pageExpression } from '../page-script.ts';
import type { BidiSession } from './bidi-connection.ts';
import type { RecordedFrames } from './recorded-frames.ts';

/** As wide as Chromium's: Speed Index compares histograms of colours, for which that is plenty. */
const widthPixels = 400;
/** A frame of the whole window is 5 MB, so this is more than a hundred: two seconds of an animation that never rests. */
const memoryLimitBytes = 600_000_000;

const startExpression = pageExpression(
  '../firefox/page/frame-recorder.ts',
  'startFrameRecorder',
  widthPixels,
  memoryLimitBytes,
);

/** What was captured; the times become the page's when its timings are known. */
export interface CapturedFrames {
  readonly warnings: readonly string[];
  /** Frames on the page's clock, what was shown before navigation at 0; null when there are none. */
  at(timings: PageTimings | null): CapturedFrame[] | null;
}

/** Every frame that Firefox's compositor shows between start and stop. */
export class FrameCapture {
  readonly #bidi: BidiSession;

  constructor(bidi: BidiSession) {
    this.#bidi = bidi;
  }

  async start(): Promise<void> {
    await this.#bidi.evaluate('browser', startExpression);
  }

  async stop(): Promise<CapturedFrames> {
    const json = await this.#bidi.evaluate('browser', 'h2h3Frames.stop().then(JSON.stringify)');
    const recorded = JSON.parse(String(json)) as RecordedFrames | null;
    if (recorded !== null) return { warnings: [], at: (timings) => framesAt(recorded, timings) };
    const megabytes = Math.round(memoryLimitBytes / 1e6);
    return {
      warnings: [`no frames: the page changed so often that they filled ${megabytes} MB`],
      at: () => null,
    };
  }
}

function framesAt(recorded: RecordedFrames, timings: PageTimings | null): CapturedFrame[] | null {
  if (timings === null) return null;
  const timed = recorded.frames.map(({ offsetMs, jpegBase64 }) => ({
    tMs: recorded.startedEpochMs + offsetMs - timings.timeOriginEpochMs,
    jpeg: Buffer.from(jpegBase64, 'base64'),
  }));
  const before = timed.filter(({ tMs }) => tMs <= 0).slice(-1);
  const after = timed.filter(({ tMs }) => tMs > 0);
  return [...before.map(({ jpeg }) => ({ jpeg, tMs: 0 })), ...after];
}
