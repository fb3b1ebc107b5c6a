import { abrRuleNamed } from '../../abr/registry.ts';
import { dash } from '../dash.ts';
import type { Dash, MediaRequest } from '../dash.ts';
import { codecFault } from '../playable-codecs.ts';
import { installRule } from './dashjs5-rule.ts';
import { playerSettings } from './dashjs5-settings.ts';
import { byBitrate, type OpenPlayer, type PlayerEvents } from './player.ts';

/** An event of dash.js 5.2.1 that its public list leaves out: the text of the manifest, before anything is dropped from it. */
const manifestRead = 'originalManifestLoaded';

/** dash.js 5, by a rule of ours or of its own. */
export const openDashjs5: OpenPlayer = ({ video, config, events, abrState }) => {
  const player = dash.MediaPlayer().create();
  const rule = abrRuleNamed(config.abr);
  player.updateSettings(playerSettings(config, rule));
  installRule(player, rule, abrState);
  tellChunks(player, events, config.live !== null);
  player.on(dash.MediaPlayer.events.QUALITY_CHANGE_REQUESTED, (event: Dash.QualityChangeRequestedEvent) => {
    const { oldRepresentation, newRepresentation, reason, mediaType } = event;
    if (mediaType !== 'video') return;
    events.decided({
      from: oldRepresentation?.id ?? '',
      to: newRepresentation?.id ?? '',
      why: reasonText(reason),
    });
  });
  player.on(manifestRead, (event) => {
    const { originalManifest = '' } = event as { originalManifest?: string };
    const fault = codecFault(originalManifest, (type) => MediaSource.isTypeSupported(type));
    if (fault !== undefined) events.failed(fault);
  });
  player.on(dash.MediaPlayer.events.ERROR, (event) => {
    events.failed(`dash.js: ${describeError(event)}`);
  });
  return {
    name: 'dash.js',
    version: player.getVersion(),
    load: () => player.initialize(video, config.manifestUrl, true),
    ladder: () =>
      player
        .getRepresentationsByType('video')
        .map(({ id, bitrateInKbit }) => ({ representation: id, bitrateKbps: bitrateInKbit }))
        .sort(byBitrate),
  };
};

function tellChunks(player: Dash.MediaPlayerClass, events: PlayerEvents, inParts: boolean): void {
  const { FRAGMENT_LOADING_STARTED, FRAGMENT_LOADING_COMPLETED } = dash.MediaPlayer.events;
  player.on(FRAGMENT_LOADING_STARTED, (event) => {
    const { request } = event as unknown as { request: MediaRequest };
    if (!isChunk(request)) return;
    const { url, representation } = request;
    events.chunkRequested({
      url,
      representation: representation.id,
      bitrateKbps: representation.bitrateInKbit,
    });
  });
  player.on(FRAGMENT_LOADING_COMPLETED, (event) => {
    const { request, response } = event as unknown as { request: MediaRequest; response?: ArrayBuffer };
    if (!isChunk(request)) return;
    // In parts, the event's response is only what came after the last whole part; the player has counted all it read.
    const bytes = inParts ? request.bytesLoaded : response?.byteLength;
    // A chunk that did not come whole has no length, and the player ends the session with an error.
    if (bytes === undefined || !Number.isFinite(bytes)) return;
    const { url, startTime, duration } = request;
    events.chunkFinished({ url, mediaStartSeconds: startTime, durationSeconds: duration, bytes });
  });
}

function isChunk(request: MediaRequest): boolean {
  return ['video', 'audio'].includes(request.mediaType) && request.type === 'MediaSegment';
}

function reasonText(reason: unknown): string {
  return typeof reason === 'string' ? reason : JSON.stringify(reason ?? '');
}

function describeError(event: unknown): string {
  const { error } = event as { error?: { code?: string | number; message?: string } | string };
  if (typeof error === 'string') return error;
  return `${error?.code ?? ''} ${error?.message ?? 'unknown error'}`.trim();
}
