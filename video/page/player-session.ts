import { abrRuleNamed } from '../abr/registry.ts';
import type { VideoPlayer } from '../../src/model/session.ts';
import { installRule } from './abr-adapter.ts';
import { ChunkLog } from './chunk-log.ts';
import { dash } from './dash.ts';
import type { Dash, MediaRequest } from './dash.ts';
import { partSeconds } from './live-broadcast.ts';
import { PlaybackLog, bufferedSecondsAhead } from './playback-log.ts';
import { codecFault } from './playable-codecs.ts';
import { playerSettings } from './player-settings.ts';
import type { PlayerConfig } from './session-config.ts';

type Outcome = VideoPlayer['outcome'];

const endedPollMs = 50;
const lengthToleranceSeconds = 0.05;
/** An event of dash.js 5.2.1 that its public list leaves out: the text of the manifest, before anything is dropped from it. */
const manifestRead = 'originalManifestLoaded';

/** One DASH player from its load call to its end. */
export class PlayerSession {
  private readonly video: HTMLVideoElement;
  private readonly config: PlayerConfig;
  private readonly player = dash.MediaPlayer().create();
  private readonly chunkLog = new ChunkLog();
  private readonly playback: PlaybackLog;
  private readonly decisions: VideoPlayer['decisions'] = [];
  private readonly errors: string[] = [];
  private loadCallMs = 0;
  private endedMs: number | null = null;

  constructor(video: HTMLVideoElement, config: PlayerConfig) {
    this.video = video;
    this.config = config;
    this.playback = new PlaybackLog(video);
  }

  /** Plays to the end. Resolves in any case: a failure is an outcome with its errors. */
  async play(): Promise<VideoPlayer> {
    const { video, config, player, chunkLog } = this;
    const rule = abrRuleNamed(config.abr);
    player.updateSettings(playerSettings(config, rule));
    installRule(player, rule, () => ({
      previousRepresentation: chunkLog.lastRepresentation(),
      bufferSeconds: bufferedSecondsAhead(video),
      bufferTargetSeconds: config.bufferTargetSeconds,
      chunkSeconds: config.chunkSeconds,
      chunkThroughputsKbps: chunkLog.throughputsKbps(),
    }));
    recordChunks(player, chunkLog, video, config.liveStartEpochMs !== null);
    recordDecisions(player, this.decisions);
    const over = whenOver(player, video, config, this.errors);
    this.playback.start();
    this.loadCallMs = performance.now();
    player.initialize(video, config.manifestUrl, true);
    const outcome = await over;
    this.endedMs = performance.now();
    this.playback.stop();
    return this.record(outcome);
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
    return {
      kind: 'video',
      timeOriginEpochMs: performance.timeOrigin,
      loadCallMs: this.loadCallMs,
      firstFrameMs,
      endedMs: this.endedMs,
      playedSeconds: this.video.currentTime,
      outcome,
      ladder: ladderOf(this.player),
      abr: this.config.abr,
      chunkSeconds: this.config.chunkSeconds,
      chunks: this.chunkLog.chunks((error) => errors.push(error)),
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

function recordChunks(
  player: Dash.MediaPlayerClass,
  log: ChunkLog,
  video: HTMLVideoElement,
  inParts: boolean,
): void {
  const events = dash.MediaPlayer.events;
  player.on(events.FRAGMENT_LOADING_STARTED, (event) => {
    const { request } = event as unknown as { request: MediaRequest };
    if (isChunk(request)) log.requestStarted(request, bufferedSecondsAhead(video));
  });
  player.on(events.FRAGMENT_LOADING_COMPLETED, (event) => {
    const { request, response } = event as unknown as { request: MediaRequest; response?: ArrayBuffer };
    if (!isChunk(request)) return;
    // In parts, the event's response is only what came after the last whole part; the player has counted all it read.
    const bytes = inParts ? request.bytesLoaded : response?.byteLength;
    // A chunk that did not come whole has no length, and the player ends the session with an error.
    if (bytes !== undefined && Number.isFinite(bytes)) log.requestFinished(request, bytes);
  });
}

function isChunk(request: MediaRequest): boolean {
  return request.mediaType === 'video' && request.type === 'MediaSegment';
}

function recordDecisions(player: Dash.MediaPlayerClass, decisions: VideoPlayer['decisions']): void {
  player.on(dash.MediaPlayer.events.QUALITY_CHANGE_REQUESTED, (event: Dash.QualityChangeRequestedEvent) => {
    decisions.push({
      tMs: performance.now(),
      from: event.oldRepresentation?.id ?? '',
      to: event.newRepresentation?.id ?? '',
      why: reasonText(event.reason),
    });
  });
}

function reasonText(reason: unknown): string {
  return typeof reason === 'string' ? reason : JSON.stringify(reason ?? '');
}

function ladderOf(player: Dash.MediaPlayerClass): VideoPlayer['ladder'] {
  return player
    .getRepresentationsByType('video')
    .map((representation) => ({
      representation: representation.id,
      bitrateKbps: representation.bitrateInKbit,
    }))
    .sort((one, other) => one.bitrateKbps - other.bitrateKbps);
}

function whenOver(
  player: Dash.MediaPlayerClass,
  video: HTMLVideoElement,
  config: PlayerConfig,
  errors: string[],
): Promise<Outcome> {
  return new Promise((resolve) => {
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
    player.on(manifestRead, (event) => {
      const { originalManifest = '' } = event as { originalManifest?: string };
      const fault = codecFault(originalManifest, (type) => MediaSource.isTypeSupported(type));
      if (fault !== undefined) fail(fault);
    });
    player.on(dash.MediaPlayer.events.ERROR, (event) => {
      fail(`dash.js: ${describeError(event)}`);
    });
    video.addEventListener('error', () => {
      fail(`media element: ${video.error?.message ?? 'unknown error'}`);
    });
  });
}

function describeError(event: unknown): string {
  const { error } = event as { error?: { code?: string | number; message?: string } | string };
  if (typeof error === 'string') return error;
  return `${error?.code ?? ''} ${error?.message ?? 'unknown error'}`.trim();
}
