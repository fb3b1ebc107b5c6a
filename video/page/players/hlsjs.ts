import { bitsPerKilobit, bufferKeptSeconds, byBitrate, representationOf, type OpenPlayer } from './player.ts';

/** What is used of hls.js 1. */
interface HlsClass {
  readonly version: string;
  readonly Events: Readonly<Record<string, string>>;
  readonly DefaultConfig: { readonly abrController: AbrController };
  new (config: object): Hls;
}

interface Hls {
  readonly levels: readonly { readonly bitrate: number; readonly url: readonly string[] }[];
  readonly on: (event: string | undefined, listener: (name: string, data: never) => void) => void;
  readonly loadSource: (url: string) => void;
  readonly attachMedia: (video: HTMLVideoElement) => void;
}

interface AbrController {
  new (hls: Hls): { onFragLoading(event: string, data: object): void; clearTimer(): void };
}

interface Fragment {
  readonly url: string;
  readonly sn: number | 'initSegment';
  readonly level: number;
  readonly start: number;
  readonly duration: number;
  /** Body bytes; the body itself belongs to the player's worker by the time it is told of. */
  readonly stats: { readonly loaded: number };
}

/** No request is given up for being slow; a failed one ends the session. */
const loadOnce = {
  default: { maxTimeToFirstByteMs: 1e9, maxLoadTimeMs: 1e9, timeoutRetry: null, errorRetry: null },
};

/** hls.js 1 by its own rule, but for giving up a chunk under way: one that was fetched in part belongs to no track. */
export const openHlsjs: OpenPlayer = ({ video, config, events }) => {
  const { Hls } = globalThis as unknown as { readonly Hls: HlsClass };
  const { abrController } = Hls.DefaultConfig;
  class WithoutAbandoning extends abrController {
    override onFragLoading(event: string, data: object): void {
      super.onFragLoading(event, data);
      this.clearTimer();
    }
  }
  const player = new Hls({
    startLevel: 0,
    testBandwidth: false,
    maxBufferLength: config.bufferTargetSeconds,
    maxMaxBufferLength: config.bufferTargetSeconds,
    backBufferLength: bufferKeptSeconds,
    lowLatencyMode: false,
    ...(config.cmcd ? { cmcd: { useHeaders: false } } : {}),
    abrController: WithoutAbandoning,
    manifestLoadPolicy: loadOnce,
    playlistLoadPolicy: loadOnce,
    fragLoadPolicy: loadOnce,
  });
  // A variant's rate is that of its pictures and its sound.
  const picturesKbps = (bitrate: number): number => bitrate / bitsPerKilobit - (config.soundKbps ?? 0);
  const representationAt = (level: number): string => playlistRepresentation(player.levels[level]?.url[0]);
  player.on(Hls.Events['FRAG_LOADING'], (_name, { frag }: { frag: Fragment }) => {
    if (frag.sn === 'initSegment') return;
    const bitrateKbps = picturesKbps(player.levels[frag.level]?.bitrate ?? 0);
    events.chunkRequested({ url: frag.url, representation: representationOf(frag.url), bitrateKbps });
  });
  player.on(Hls.Events['FRAG_LOADED'], (_name, { frag }: { frag: Fragment }) => {
    if (frag.sn === 'initSegment') return;
    const { url, start, duration, stats } = frag;
    events.chunkFinished({ url, mediaStartSeconds: start, durationSeconds: duration, bytes: stats.loaded });
  });
  let level = 0;
  player.on(Hls.Events['LEVEL_SWITCHING'], (_name, data: { level: number }) => {
    events.decided({
      from: representationAt(level),
      to: representationAt(data.level),
      why: 'rule of hls.js',
    });
    level = data.level;
  });
  player.on(
    Hls.Events['ERROR'],
    (_name, data: { fatal: boolean; type: string; details: string; reason?: string }) => {
      if (data.fatal) events.failed(`hls.js: ${data.details} ${data.reason ?? ''}`.trim());
    },
  );
  return {
    name: 'hls.js',
    version: Hls.version,
    load: () => {
      player.loadSource(config.manifestUrl.replace(/\.mpd$/, '.m3u8'));
      player.attachMedia(video);
      video.autoplay = true;
    },
    ladder: () =>
      player.levels
        .map(({ bitrate, url }) => ({
          representation: playlistRepresentation(url[0]),
          bitrateKbps: picturesKbps(bitrate),
        }))
        .sort(byBitrate),
  };
};

/** A media playlist is named as its representation, with `-play-` behind it. */
function playlistRepresentation(url = ''): string {
  return url.replace(/^.*\//, '').replace(/-play-[^-]*$/, '');
}
