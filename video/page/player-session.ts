import type { VideoPlayer } from '../../src/core/model/session.ts';
import { ChunkLog } from './chunk-log.ts';
import { FrameLog } from './frame-log.ts';
import { PlaybackLog, bufferedSecondsAhead } from './playback-log.ts';
import { representationOf } from './players/player.ts';
import type { AbrState, OpenedPlayer, OpenPlayer, PlayerEvents } from './players/player.ts';
import { soundRepresentation } from './sound.ts';
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
  /** Of the pictures: nothing chooses between rates of sound. */
  private readonly chunkLog = new ChunkLog();
  private readonly soundLog = new ChunkLog();
  private readonly playback: PlaybackLog;
  /** Where pictures say their numbers. */
  private frameLog: FrameLog | null = null;
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
      const end = sessionEnd(video, config, this.errors, resolve);
      const player = this.open({
        video,
        config,
        events: this.eventsOf(end, () => this.relayOver(end, resolve)),
        abrState: () => this.abrState(),
      });
      this.player = player;
      this.watch(player);
      this.loadCallMs = performance.now();
      player.load();
    });
    this.endedMs = performance.now();
    if (this.player?.relay === undefined) this.playback.stop();
    this.frameLog?.stop();
    return this.record(outcome);
  }

  /** Pictures of a relay are in no media element, whose events and buffer say nothing then. */
  private watch({ relay }: OpenedPlayer): void {
    if (relay === undefined) this.playback.start();
    if (typeof this.config.live?.numberedPerSecond !== 'number') return;
    this.frameLog = new FrameLog(relay?.canvas ?? this.video);
    this.frameLog.start();
  }

  private relayOver(failed: (message: string) => void, resolve: (outcome: Outcome) => void): void {
    if (this.frameLog?.shown.length === 0) failed('no frame was ever shown');
    else resolve('play-length');
  }

  private eventsOf(failed: (message: string) => void, over: () => void): PlayerEvents {
    const { chunkLog, soundLog, decisions, video, config } = this;
    const isSound = (url: string): boolean => representationOf(url) === soundRepresentation;
    return {
      chunkRequested: (chunk) => {
        const level = bufferedSecondsAhead(video);
        if (isSound(chunk.url))
          soundLog.requestStarted({ ...chunk, bitrateKbps: config.soundKbps ?? 0 }, level);
        else chunkLog.requestStarted(chunk, level);
      },
      chunkFinished: (chunk) => (isSound(chunk.url) ? soundLog : chunkLog).requestFinished(chunk),
      decided: (decision) => decisions.push({ tMs: performance.now(), ...decision }),
      failed,
      over,
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
    const { stalls, bufferSamples, warnings } = this.playback;
    const errors = [...this.errors];
    const abandonedUrls = [this.chunkLog, this.soundLog].flatMap((log) => log.abandonedUrls());
    const report = (error: string): void => void errors.push(error);
    const { soundKbps } = this.config;
    return {
      kind: 'video',
      timeOriginEpochMs: performance.timeOrigin,
      loadCallMs: this.loadCallMs,
      endedMs: this.endedMs,
      outcome,
      ...this.played(),
      player: { name: this.player?.name ?? '', version: this.player?.version ?? '' },
      ladder: this.player?.ladder() ?? [],
      abr: this.config.abr,
      chunkSeconds: this.config.chunkSeconds,
      chunks: this.chunkLog.chunks(report),
      ...(soundKbps === null
        ? {}
        : { sound: { bitrateKbps: soundKbps, chunks: this.soundLog.chunks(report) } }),
      ...(abandonedUrls.length > 0 ? { abandonedUrls } : {}),
      stalls: [...stalls],
      bufferSamples: [...bufferSamples],
      decisions: [...this.decisions],
      errors,
      ...broadcastOf(this.config, this.frameLog?.shown),
      ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    };
  }

  private played(): Pick<
    VideoPlayer,
    'firstFrameMs' | 'playedSeconds' | 'decodedFrames' | 'droppedFrames' | 'relay'
  > {
    const { player, frameLog, video, config } = this;
    if (player?.relay === undefined) {
      const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
      return {
        firstFrameMs: this.playback.firstFrameMs,
        playedSeconds: video.currentTime,
        decodedFrames: totalVideoFrames,
        droppedFrames: droppedVideoFrames,
      };
    }
    const shown = frameLog?.shown ?? [];
    const [firstFrameMs, first] = shown[0] ?? [null, 0];
    const frames = (shown.at(-1)?.[1] ?? first) - first;
    return {
      firstFrameMs,
      playedSeconds: frames / (config.live?.numberedPerSecond ?? 1),
      decodedFrames: null,
      droppedFrames: null,
      relay: { url: player.relay.url() },
    };
  }
}

/** What a record says of the broadcast that was watched. */
function broadcastOf(
  { live, playSeconds }: PlayerConfig,
  shown: FrameLog['shown'] = [],
): Pick<VideoPlayer, 'liveStartEpochMs' | 'liveDelayTargetMs' | 'livePartSeconds' | 'frames'> {
  if (live === null) return {};
  const { startEpochMs: liveStartEpochMs, delayMs: liveDelayTargetMs, partSeconds: livePartSeconds } = live;
  const perSecond = live.numberedPerSecond;
  const count = playSeconds * (perSecond ?? 0);
  const frames = perSecond === null ? {} : { frames: { perSecond, count, shown: [...shown] } };
  return { liveStartEpochMs, liveDelayTargetMs, livePartSeconds, ...frames };
}

/**
 * Tells `resolve` how a session ends: all of it played, its play length reached, or a failure, which `errors` then names.
 *
 * @returns ends it as a failure
 */
function sessionEnd(
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
