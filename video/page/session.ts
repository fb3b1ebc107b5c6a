import { abrRuleNamed } from '../abr/registry.ts';
import type { VideoSession } from '../../src/model/session.ts';
import { installRule } from './abr-adapter.ts';
import { ChunkLog } from './chunk-log.ts';
import { dash } from './dash.ts';
import type { Dash, MediaRequest } from './dash.ts';
import { signalEndOfStreamAt } from './end-of-stream.ts';
import { PlaybackLog, bufferedSecondsAhead } from './playback-log.ts';
import { playerSettings } from './player-settings.ts';
import type { SessionConfig } from './session-config.ts';

type Outcome = VideoSession['outcome'];

/** A DASH session from the player's load call to its end. Resolves in any case: a failure is an outcome with its errors. */
export async function playSession(video: HTMLVideoElement, config: SessionConfig): Promise<VideoSession> {
  const rule = abrRuleNamed(config.abr);
  const player = dash.MediaPlayer().create();
  const chunkLog = new ChunkLog();
  const playback = new PlaybackLog(video);
  const decisions: VideoSession['decisions'] = [];
  const errors: string[] = [];

  signalEndOfStreamAt(config.playSeconds);
  player.updateSettings(playerSettings(config, rule));
  installRule(player, rule, () => ({
    previousRepresentation: chunkLog.lastRepresentation(),
    bufferSeconds: bufferedSecondsAhead(video),
    bufferTargetSeconds: config.bufferTargetSeconds,
    chunkSeconds: config.chunkSeconds,
    chunkThroughputsKbps: chunkLog.throughputsKbps(),
  }));
  recordChunks(player, chunkLog, video);
  recordDecisions(player, decisions);
  const ended = whenOver(player, video, config, errors);
  playback.start();
  const loadCallMs = performance.now();
  player.initialize(video, config.manifestUrl, true);
  const outcome = await ended;
  const endedMs = performance.now();
  playback.stop();
  const quality = video.getVideoPlaybackQuality();
  return {
    kind: 'video',
    timeOriginEpochMs: performance.timeOrigin,
    loadCallMs,
    firstFrameMs: playback.firstFrameMs,
    endedMs,
    playedSeconds: video.currentTime,
    outcome,
    ladder: ladderOf(player),
    abr: config.abr,
    chunkSeconds: config.chunkSeconds,
    chunks: chunkLog.chunks((error) => errors.push(error)),
    stalls: playback.stalls,
    bufferSamples: playback.bufferSamples,
    decodedFrames: quality.totalVideoFrames,
    droppedFrames: quality.droppedVideoFrames,
    decisions,
    errors,
    ...(playback.warnings.length > 0 ? { warnings: playback.warnings } : {}),
  };
}

function recordChunks(player: Dash.MediaPlayerClass, log: ChunkLog, video: HTMLVideoElement): void {
  const events = dash.MediaPlayer.events;
  player.on(events.FRAGMENT_LOADING_STARTED, (event) => {
    const { request } = event as unknown as { request: MediaRequest };
    if (isChunk(request)) log.requestStarted(request, bufferedSecondsAhead(video));
  });
  player.on(events.FRAGMENT_LOADING_COMPLETED, (event) => {
    const { request, response } = event as unknown as { request: MediaRequest; response?: ArrayBuffer };
    if (isChunk(request) && response !== undefined) log.requestFinished(request, response.byteLength);
  });
}

function isChunk(request: MediaRequest): boolean {
  return request.mediaType === 'video' && request.type === 'MediaSegment';
}

function recordDecisions(player: Dash.MediaPlayerClass, decisions: VideoSession['decisions']): void {
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

function ladderOf(player: Dash.MediaPlayerClass): VideoSession['ladder'] {
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
  config: SessionConfig,
  errors: string[],
): Promise<Outcome> {
  return new Promise((resolve) => {
    const fail = (message: string): void => {
      errors.push(message);
      resolve('error');
    };
    player.on(dash.MediaPlayer.events.ERROR, (event) => {
      fail(`dash.js: ${describeError(event)}`);
    });
    video.addEventListener('error', () => {
      fail(`media element: ${video.error?.message ?? 'unknown error'}`);
    });
    video.addEventListener('ended', () => {
      resolve('ended');
    });
    video.addEventListener('timeupdate', () => {
      if (video.currentTime >= config.playSeconds && !video.ended) resolve('play-length');
    });
  });
}

function describeError(event: unknown): string {
  const { error } = event as { error?: { code?: string | number; message?: string } | string };
  if (typeof error === 'string') return error;
  return `${error?.code ?? ''} ${error?.message ?? 'unknown error'}`.trim();
}
