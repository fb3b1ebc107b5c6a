import {
  bitsPerKilobit,
  bufferKeptSeconds,
  byBitrate,
  initialBitrateKbps,
  representationOf,
  type OpenPlayer,
} from './player.ts';

/** What is used of dash.js 4, whose types differ from those of version 5. */
interface Dashjs4 {
  readonly MediaPlayer: (() => { readonly create: () => Dashjs4Player }) & {
    readonly events: Readonly<Record<string, string>>;
  };
}

interface Dashjs4Player {
  readonly updateSettings: (settings: object) => void;
  readonly on: (event: string | undefined, listener: (event: never) => void) => void;
  readonly getVersion: () => string;
  readonly initialize: (video: HTMLVideoElement, url: string, autoplay: boolean) => void;
  readonly getBitrateInfoListFor: (
    type: 'video',
  ) => readonly { readonly bitrate: number; readonly qualityIndex: number }[];
}

interface Dashjs4Request {
  readonly mediaType: string;
  readonly type: string;
  readonly url: string;
  readonly quality: number;
  readonly startTime: number;
  readonly duration: number;
}

interface Dashjs4QualityChange {
  readonly mediaType: string;
  readonly oldQuality?: number;
  readonly newQuality: number;
}

/** dash.js 4 by its own default rule; it names a quality by its index, and the path of a chunk tells the representation. */
export const openDashjs4: OpenPlayer = ({ video, config, events }) => {
  const { MediaPlayer } = (globalThis as unknown as { readonly dashjs: Dashjs4 }).dashjs;
  const player = MediaPlayer().create();
  const representations = new Map<number, string>();
  const bitrateOf = (quality: number): number =>
    (player.getBitrateInfoListFor('video').find(({ qualityIndex }) => qualityIndex === quality)?.bitrate ??
      0) / bitsPerKilobit;
  player.updateSettings({
    streaming: {
      cacheInitSegments: true,
      fragmentRequestTimeout: 0,
      retryAttempts: { MPD: 0, MediaSegment: 0, InitializationSegment: 0 },
      utcSynchronization: { enabled: false },
      applyServiceDescription: false,
      gaps: { jumpGaps: false, enableSeekFix: false, enableStallFix: false },
      lastBitrateCachingInfo: { enabled: false },
      lastMediaSettingsCachingInfo: { enabled: false },
      buffer: {
        fastSwitchEnabled: false,
        bufferTimeDefault: config.bufferTargetSeconds,
        stableBufferTime: config.bufferTargetSeconds,
        bufferTimeAtTopQuality: config.bufferTargetSeconds,
        bufferTimeAtTopQualityLongForm: config.bufferTargetSeconds,
        bufferToKeep: bufferKeptSeconds,
        ...(config.startBufferSeconds > 0 ? { initialBufferLevel: config.startBufferSeconds } : {}),
      },
      cmcd: { enabled: config.cmcd, mode: 'query' },
      abr: {
        limitBitrateByPortal: false,
        initialBitrate: { video: initialBitrateKbps },
        additionalAbrRules: { abandonRequestsRule: false, droppedFramesRule: false },
      },
    },
  });
  const { FRAGMENT_LOADING_STARTED, FRAGMENT_LOADING_COMPLETED, QUALITY_CHANGE_REQUESTED, ERROR } =
    MediaPlayer.events;
  player.on(FRAGMENT_LOADING_STARTED, ({ request }: { request: Dashjs4Request }) => {
    if (!isChunk(request)) return;
    const representation = representationOf(request.url);
    if (request.mediaType === 'video') representations.set(request.quality, representation);
    events.chunkRequested({ url: request.url, representation, bitrateKbps: bitrateOf(request.quality) });
  });
  player.on(
    FRAGMENT_LOADING_COMPLETED,
    ({ request, response }: { request: Dashjs4Request; response?: ArrayBuffer }) => {
      if (!isChunk(request) || response === undefined) return;
      const { url, startTime, duration } = request;
      const bytes = response.byteLength;
      events.chunkFinished({ url, mediaStartSeconds: startTime, durationSeconds: duration, bytes });
    },
  );
  player.on(QUALITY_CHANGE_REQUESTED, ({ mediaType, oldQuality, newQuality }: Dashjs4QualityChange) => {
    if (mediaType !== 'video') return;
    const from = oldQuality === undefined ? '' : (representations.get(oldQuality) ?? '');
    events.decided({ from, to: `quality ${newQuality}`, why: 'rule of dash.js 4' });
  });
  player.on(ERROR, ({ error }: { error?: { code?: number; message?: string } }) => {
    events.failed(`dash.js: ${error?.code ?? ''} ${error?.message ?? 'unknown error'}`);
  });
  return {
    name: 'dash.js',
    version: player.getVersion(),
    load: () => player.initialize(video, config.manifestUrl, true),
    ladder: () =>
      player
        .getBitrateInfoListFor('video')
        .map(({ bitrate, qualityIndex }) => ({
          representation: representations.get(qualityIndex) ?? `quality ${qualityIndex}`,
          bitrateKbps: bitrate / bitsPerKilobit,
        }))
        .sort(byBitrate),
  };
};

function isChunk({ mediaType, type }: Dashjs4Request): boolean {
  return ['video', 'audio'].includes(mediaType) && type === 'MediaSegment';
}
