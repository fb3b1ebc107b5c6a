import type { VideoPlayer } from '../../src/core/model/session.ts';

type Stall = VideoPlayer['stalls'][number];

/** METRICS asks for at most 250 ms between samples; a timer may be late on a busy machine. */
const sampleIntervalMs = 100;
/** At 25 frames per second. */
const frameSeconds = 0.04;

/** Media ahead of the playhead in the range that holds it (s). With sound, a browser counts what it has of pictures and sound alike. */
export function bufferedSecondsAhead(video: HTMLVideoElement): number {
  const { buffered, currentTime } = video;
  for (let index = 0; index < buffered.length; index += 1) {
    const end = buffered.end(index);
    if (buffered.start(index) <= currentTime + 0.1 && end >= currentTime) return end - currentTime;
  }
  return 0;
}

/** What the media element shows: first frame, stalls, buffer level over time. */
export class PlaybackLog {
  readonly stalls: Stall[] = [];
  readonly bufferSamples: VideoPlayer['bufferSamples'] = [];
  readonly warnings: string[] = [];
  firstFrameMs: number | null = null;
  private readonly video: HTMLVideoElement;
  private hasPlayed = false;
  private timer = 0;

  constructor(video: HTMLVideoElement) {
    this.video = video;
  }

  start(): void {
    this.watchFirstFrame();
    this.video.addEventListener('playing', () => {
      this.hasPlayed = true;
      this.closeStall();
    });
    this.video.addEventListener('ended', () => {
      this.closeStall();
    });
    this.video.addEventListener('waiting', () => {
      this.openStall();
    });
    this.sample();
    this.timer = window.setInterval(() => {
      this.sample();
    }, sampleIntervalMs);
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.sample();
    if (this.video.ended) this.closeStall();
  }

  private sample(): void {
    this.bufferSamples.push({
      tMs: performance.now(),
      levelSeconds: bufferedSecondsAhead(this.video),
      mediaSeconds: this.video.currentTime,
    });
  }

  private openStall(): void {
    if (!this.hasPlayed || this.isAtEnd() || this.stalls.at(-1)?.endMs === null) return;
    this.stalls.push({
      startMs: performance.now(),
      endMs: null,
      mediaSeconds: this.video.currentTime,
      bufferSeconds: bufferedSecondsAhead(this.video),
    });
  }

  /** Browsers say `waiting` once more when the last frame is on the screen: there is nothing left to wait for. */
  private isAtEnd(): boolean {
    const { ended, duration, currentTime } = this.video;
    return ended || duration - currentTime < frameSeconds;
  }

  private closeStall(): void {
    const open = this.stalls.at(-1);
    if (open?.endMs === null) open.endMs = performance.now();
  }

  private watchFirstFrame(): void {
    if ('requestVideoFrameCallback' in this.video) {
      this.video.requestVideoFrameCallback((_now, metadata) => {
        this.firstFrameMs = metadata.presentationTime;
      });
      return;
    }
    this.warnings.push(
      'this browser has no requestVideoFrameCallback: the first frame was seen by polling decoded frames',
    );
    const poll = (nowMs: number): void => {
      if (this.video.getVideoPlaybackQuality().totalVideoFrames > 0) this.firstFrameMs = nowMs;
      else requestAnimationFrame(poll);
    };
    requestAnimationFrame(poll);
  }
}
