import type { Protocol } from 'puppeteer-core';
import type { CapturedFrame } from '../../client-driver.ts';
import { within } from '../deadline.ts';
import type { CdpSession } from './cdp-connection.ts';

/** Frames are this wide at most: Speed Index compares histograms of colours, for which that is plenty. */
const maxWidthPixels = 400;
const jpegQuality = 60;
/** A page that animates for ever must not fill the memory. */
const maxFrames = 2000;
const firstFrameLimitMs = 20_000;

/** Records the viewport whenever it changes, as base64 until the browser has ended. */
export class Screencast {
  readonly #session: CdpSession;
  readonly #frames: { readonly base64: string; readonly epochMs: number }[] = [];
  #dropped = 0;
  #firstFrame: () => void = () => undefined;

  constructor(session: CdpSession) {
    this.#session = session;
  }

  /**
   * Resolves when the first frame, of the empty tab, is there: visual progress is measured against it.
   * @throws H2h3Error `deadline` when none comes.
   */
  async start(): Promise<void> {
    const firstFrame = new Promise<void>((resolve) => (this.#firstFrame = resolve));
    this.#session.on('Page.screencastFrame', (event) => this.#received(event));
    await this.#session.send('Page.startScreencast', {
      format: 'jpeg',
      quality: jpegQuality,
      maxWidth: maxWidthPixels,
      maxHeight: maxWidthPixels,
      everyNthFrame: 1,
    });
    await within(firstFrame, firstFrameLimitMs, 'the first frame of the empty tab');
  }

  async stop(): Promise<void> {
    await this.#session.send('Page.stopScreencast');
  }

  /** Frames with times on the clock that begins at `timeOriginEpochMs`; what was shown before it begins at 0. */
  frames(timeOriginEpochMs: number): { readonly frames: CapturedFrame[]; readonly warnings: string[] } {
    const before = this.#frames.filter((frame) => frame.epochMs <= timeOriginEpochMs).slice(-1);
    const after = this.#frames.filter((frame) => frame.epochMs > timeOriginEpochMs);
    const frames = [...before, ...after].map(({ base64, epochMs }) => ({
      jpeg: Buffer.from(base64, 'base64'),
      tMs: Math.max(0, epochMs - timeOriginEpochMs),
    }));
    const warnings =
      this.#dropped > 0 ? [`${this.#dropped} frames after the first ${maxFrames} were not kept`] : [];
    return { frames, warnings };
  }

  #received(event: Protocol.Page.ScreencastFrameEvent): void {
    // The browser sends the next frame only when this one is acknowledged; it may be gone by then.
    this.#session.send('Page.screencastFrameAck', { sessionId: event.sessionId }).catch(() => undefined);
    if (this.#frames.length >= maxFrames) {
      this.#dropped += 1;
      return;
    }
    const epochMs = (event.metadata.timestamp ?? Date.now() / 1000) * 1000;
    this.#frames.push({ base64: event.data, epochMs });
    this.#firstFrame();
  }
}
