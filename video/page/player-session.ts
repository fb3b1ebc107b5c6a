import type { VideoPlayer } from '../../src/model/session.ts';
import { ChunkLog } from './chunk-log.ts';
import { partSeconds } from './broadcast.ts';
import { PlaybackLog, bufferedSecondsAhead } from './playback-log.ts';
import type { AbrState, OpenedPlayer, OpenPlayer, PlayerEvents } from './players/player.ts';
import type { PlayerConfig } from './session-config.ts';

type Outcome = VideoPlayer['outcome'];

const endedPollMs = 50;
const lengthToleranceSeconds = 0.05;
/** One player from its load call to its end. */
export class PlayerSession {
  private readonly video: HTMLVideoElement;
  private readonly config: PlayerConfig;
  private readonly open: OpenPlayer;
  private player: OpenedPlayer | null = null;
  private readonly chunkLog = new ChunkLog();
  private readonly playback: PlaybackLog;
  private readonly decisions: VideoPlayer['decisions'] = [];
  private readonly errors: string[] = [];
  private loadCallMs = 0;
  private endedMs: number | null = null;

  constructor(video: HTMLVideoElement, config: PlayerConfig, open: OpenPlayer) {
    this.video = video;
    this.config = config;
    this.open = open;
    this.playback = new PlaybackLog(video);
  }

  /** Plays to the end. Resolves in any case: a failure is an outcome with its errors. */
  async play(): Promise<VideoPlayer> {
    const { video, config } = this;
    const outcome = await new Promise<Outcome>((resolve) => {
      const end = whenOver(video, config, this.errors, resolve);
      const player = this.open({
        video,
        config,
        events: this.eventsOf(end),
        abrState: () => this.abrState(),
      });
      this.player = player;
      this.playback.start();
      this.loadCallMs = performance.now();
      player.load();
    });
    this.endedMs = performance.now();
    this.playback.stop();
    return this.record(outcome);
  }

  private eventsOf(failed: (message: string) => void): PlayerEvents {
    const { chunkLog, decisions, video } = this;
    return {
      chunkRequested: (chunk) => chunkLog.requestStarted(chunk, bufferedSecondsAhead(video)),
      chunkFinished: (chunk) => chunkLog.requestFinished(chunk),
      decided: (decision) => decisions.push({ tMs: performance.now(), ...decision }),
      failed,
    };
  }

  private abrState(): ReturnType<AbrState> {
    const { chunkLog, config, video } = this;
    return {
      previousRepresentation: chunkLog.lastRepresentation(),
      bufferSeconds: bufferedSecondsAhead(video),
      bufferTargetSeconds: config.bufferTargetSeconds,
      chunkSeconds: config.chunkSeconds,
      chunkThroughputsKbps: chunkLog.throughputsKbps(),
    };
  }

  /** What there is before the end, for a session that does not end in time. */
  soFar(): VideoPlayer {
    const unfinished = this.record('error');
    return { ...unfinished, errors: [...unfinished.errors, 'the session had not ended'] };
  }

  private record(outcome: Outcome): VideoPlayer {
    const quality = this.video.getVideoPlaybackQuality();
    const { stalls, bufferSamples, firstFrameMs, warnings } = this.playback;
    const errors = [...this.errors];
    const abandonedUrls = this.chunkLog.abandonedUrls();
    return {
      kind: 'video',
      timeOriginEpochMs: performance.timeOrigin,
      loadCallMs: this.loadCallMs,
      firstFrameMs,
      endedMs: this.endedMs,
      playedSeconds: this.video.currentTime,
      outcome,
      player: { name: this.player?.name ?? '', version: this.player?.version ?? '' },
      ladder: this.player?.ladder() ?? [],
      abr: this.config.abr,
      chunkSeconds: this.config.chunkSeconds,
      chunks: this.chunkLog.chunks((error) => errors.push(error)),
      ...(abandonedUrls.length > 0 ? { abandonedUrls } : {}),
      stalls: [...stalls],
      bufferSamples: [...bufferSamples],
      decodedFrames: quality.totalVideoFrames,
      droppedFrames: quality.droppedVideoFrames,
      decisions: [...this.decisions],
      errors,
      ...broadcastOf(this.config),
      ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    };
  }
}

function broadcastOf({
  liveStartEpochMs,
}: PlayerConfig): Pick<VideoPlayer, 'liveStartEpochMs' | 'livePartSeconds'> {
  return liveStartEpochMs === null ? {} : { liveStartEpochMs, livePartSeconds: partSeconds };
}

/**
 * Tells `resolve` how a session ends: all of it played, its play length reached, or a failure, which `errors` then names.
 *
 * @returns ends it as a failure
 */
function whenOver(
  video: HTMLVideoElement,
  config: PlayerConfig,
  errors: string[],
  resolve: (outcome: Outcome) => void,
): (message: string) => void {
  const finish = (outcome: Outcome): void => {
    clearInterval(timer);
    resolve(outcome);
  };
  const fail = (message: string): void => {
    errors.push(message);
    finish('error');
  };
  const look = (): void => {
    const beyondLength = video.duration > config.playSeconds + lengthToleranceSeconds;
    const leftSeconds = config.playSeconds - video.currentTime;
    if (video.ended && leftSeconds > lengthToleranceSeconds)
      fail(`playback ended ${leftSeconds} s too early`);
    else if (video.ended) finish('ended');
    else if (beyondLength && video.currentTime >= config.playSeconds) finish('play-length');
  };
  // Chromium now and then comes to its end without the event, with `ended` set.
  const timer = setInterval(look, endedPollMs);
  video.addEventListener('ended', look);
  video.addEventListener('error', () => {
    fail(`media element: ${video.error?.message ?? 'unknown error'}`);
  });
  return fail;
}
