import os from 'node:os';
import type { PageTimings } from '../../../../src/core/model/raw-trial.ts';
import type { CapturedFrame } from '../../client-driver.ts';
import { pageExpression } from '../page-script.ts';
import type { BidiSession } from './bidi-connection.ts';
import type { RecordedFrames } from './recorded-frames.ts';

/** As wide as Chromium's: Speed Index compares histograms of colours, for which that is plenty. */
const widthPixels = 400;
/**
 * A frame of the whole window is 5 MB: 600 MB are two seconds of an animation that never rests, 4 GB are thirteen.
 * Firefox can drop a recording only by encoding it while the page loads, so it may take a quarter of the
 * memory that is free.
 */
const minMemoryBytes = 600_000_000;
const maxMemoryBytes = 4_000_000_000;

/** What was captured; the times become the page's when its timings are known. */
export interface CapturedFrames {
  /** Why the load was disturbed, with what to do; absent where it was not. */
  readonly disturbance?: string;
  /** Frames on the page's clock, what was shown before navigation at 0; null when there are none. */
  at(timings: PageTimings | null): CapturedFrame[] | null;
}

/** Every frame that Firefox's compositor shows between start and stop. */
export class FrameCapture {
  readonly #bidi: BidiSession;
  readonly #memoryLimitBytes = Math.min(maxMemoryBytes, Math.max(minMemoryBytes, os.freemem() / 4));

  constructor(bidi: BidiSession) {
    this.#bidi = bidi;
  }

  async start(): Promise<void> {
    const start = pageExpression(
      '../firefox/page/frame-recorder.ts',
      'startFrameRecorder',
      widthPixels,
      this.#memoryLimitBytes,
    );
    await this.#bidi.evaluate('browser', start);
  }

  async stop(): Promise<CapturedFrames> {
    const json = await this.#bidi.evaluate('browser', 'h2h3Frames.stop().then(JSON.stringify)');
    const recorded = JSON.parse(String(json)) as RecordedFrames | null;
    if (recorded !== null) return { at: (timings) => framesAt(recorded, timings) };
    const megabytes = Math.round(this.#memoryLimitBytes / 1e6);
    return {
      disturbance: `the page changed so often that its frames filled ${megabytes} MB, and dropping them disturbed its load; measure it with "probes: [har, cpu]" in a plan file`,
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
