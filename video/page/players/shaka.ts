import type { VideoPlayer } from '../../../src/core/model/session.ts';
import { bitsPerKilobit, bufferKeptSeconds, byBitrate, representationOf, type OpenPlayer } from './player.ts';

/** What is used of Shaka Player 5. */
interface Shaka {
  readonly polyfill: { readonly installAll: () => void };
  readonly Player: { readonly version: string; new (): ShakaPlayer };
  readonly net: {
    readonly NetworkingEngine: {
      readonly RequestType: { readonly SEGMENT: number };
      readonly AdvancedRequestType: { readonly MEDIA_SEGMENT: number };
    };
  };
}

interface ShakaPlayer {
  readonly attach: (video: HTMLVideoElement) => Promise<void>;
  readonly configure: (settings: object) => void;
  readonly load: (url: string) => Promise<void>;
  readonly addEventListener: (type: string, listener: (event: never) => void) => void;
  readonly getVariantTracks: () => readonly {
    readonly originalVideoId: string | null;
    readonly bandwidth: number;
  }[];
  readonly getNetworkingEngine: () => {
    readonly registerRequestFilter: (
      filter: (type: number, request: { uris: readonly string[] }, context?: RequestContext) => void,
    ) => void;
    readonly registerResponseFilter: (
      filter: (
        type: number,
        response: { uri: string; data: ArrayBuffer | ArrayBufferView },
        context?: RequestContext,
      ) => void,
    ) => void;
  };
}

interface RequestContext {
  readonly type?: number;
  readonly segment?: { readonly startTime: number; readonly endTime: number };
}

interface Track {
  readonly originalVideoId?: string | null;
}

/** Below every track of every ladder, bit/s: each session begins at the lowest. */
const initialBandwidth = 1000;
const once = { maxAttempts: 1, timeout: 0, stallTimeout: 0, connectionTimeout: 0 };

/** Shaka Player by its own rule. */
export const openShaka: OpenPlayer = ({ video, config, events }) => {
  const { shaka } = globalThis as unknown as { readonly shaka: Shaka };
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  player.configure({
    abr: { defaultBandwidthEstimate: initialBandwidth, useNetworkInformation: false },
    cmcd: { enabled: config.cmcd, useHeaders: false },
    manifest: { retryParameters: once },
    streaming: {
      retryParameters: once,
      bufferingGoal: config.bufferTargetSeconds,
      bufferBehind: bufferKeptSeconds,
      ...(config.startBufferSeconds > 0 ? { rebufferingGoal: config.startBufferSeconds } : {}),
    },
  });
  const { RequestType, AdvancedRequestType } = shaka.net.NetworkingEngine;
  const isChunk = (type: number, context: RequestContext | undefined): context is Required<RequestContext> =>
    type === RequestType.SEGMENT && context?.type === AdvancedRequestType.MEDIA_SEGMENT;
  const network = player.getNetworkingEngine();
  // Taken at the first chunk: later on Shaka leaves out tracks that it does not want for a while.
  let ladder: VideoPlayer['ladder'] = [];
  network.registerRequestFilter((type, { uris: [url = ''] }, context) => {
    if (!isChunk(type, context)) return;
    if (ladder.length === 0) ladder = ladderOf(player, config.soundKbps ?? 0);
    const representation = representationOf(url);
    const track = ladder.find((one) => one.representation === representation);
    events.chunkRequested({ url, representation, bitrateKbps: track?.bitrateKbps ?? 0 });
  });
  network.registerResponseFilter((type, { uri, data }, context) => {
    if (!isChunk(type, context)) return;
    const { startTime, endTime } = context.segment;
    events.chunkFinished({
      url: uri,
      mediaStartSeconds: startTime,
      durationSeconds: endTime - startTime,
      bytes: data.byteLength,
    });
  });
  player.addEventListener('adaptation', ({ oldTrack, newTrack }: { oldTrack?: Track; newTrack?: Track }) => {
    events.decided({
      from: oldTrack?.originalVideoId ?? '',
      to: newTrack?.originalVideoId ?? '',
      why: 'rule of Shaka Player',
    });
  });
  const fail = ({ code, data }: { code?: number; data?: unknown }): void => {
    events.failed(`Shaka Player: error ${code ?? ''} ${JSON.stringify(data ?? '')}`);
  };
  player.addEventListener('error', ({ detail }: { detail: object }) => fail(detail));
  return {
    name: 'Shaka Player',
    version: shaka.Player.version.replace(/^v/, ''),
    load: () => {
      video.autoplay = true;
      player
        .attach(video)
        .then(() => player.load(config.manifestUrl))
        .catch(fail);
    },
    ladder: () => ladder,
  };
};

/** A variant's rate is that of its pictures and its sound. */
function ladderOf(player: ShakaPlayer, soundKbps: number): VideoPlayer['ladder'] {
  return player
    .getVariantTracks()
    .map(({ originalVideoId, bandwidth }) => ({
      representation: originalVideoId ?? '',
      bitrateKbps: bandwidth / bitsPerKilobit - soundKbps,
    }))
    .sort(byBitrate);
}
