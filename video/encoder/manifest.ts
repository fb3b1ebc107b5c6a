import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Asset } from './asset.ts';
import { initFile, segmentFile, soundOf } from './asset.ts';
import { rateOf } from './film-pictures.ts';

const namespace = 'urn:mpeg:dash:schema:mpd:2011';
const profile = 'urn:mpeg:dash:profile:isoff-live:2011';
const channelScheme = 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011';

export function manifestFile(seconds: number): string {
  return `play-${seconds}s.mpd`;
}

/** Of HLS, next to the manifest of DASH. */
function playlistFile(seconds: number): string {
  return `play-${seconds}s.m3u8`;
}

/** What a manifest says of: pictures, and sound where a film has it. */
export type ManifestStreams = Pick<Asset, 'tracks' | 'sound' | 'chunkSeconds'>;
type PlayedStreams = ManifestStreams & { readonly frameRate: string };
const soundGroup = 'sound';

/** HLS playlists (RFC 8216) over the same segments, by file name: the master, and one for each track and the sound. */
export function playlists(asset: PlayedStreams, seconds: number): ReadonlyMap<string, string> {
  const { tracks, chunkSeconds, frameRate } = asset;
  const sounds = soundOf(asset);
  const mediaFile = (representation: string): string => `${representation}-${playlistFile(seconds)}`;
  const variants = tracks.flatMap((track) => {
    const kbps = [track, ...sounds].reduce((sum, { bitrateKbps }) => sum + bitrateKbps, 0);
    const attributes = [
      `BANDWIDTH=${kbps * 1000}`,
      `AVERAGE-BANDWIDTH=${kbps * 1000}`,
      `RESOLUTION=${track.width}x${track.height}`,
      `CODECS="${[track, ...sounds].map(({ codecs }) => codecs).join()}"`,
      `FRAME-RATE=${rateOf(frameRate).toFixed(3)}`,
      ...sounds.map(() => `AUDIO="${soundGroup}"`),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, mediaFile(track.representation)];
  });
  const renditions = sounds.map(
    ({ representation, channels }) =>
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${soundGroup}",NAME="${representation}",DEFAULT=YES,AUTOSELECT=YES,` +
      `CHANNELS="${channels}",URI="${mediaFile(representation)}"`,
  );
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'];
  return new Map([
    [playlistFile(seconds), [...head, ...renditions, ...variants, ''].join('\n')],
    ...[...tracks, ...sounds].map(
      ({ representation }) =>
        [mediaFile(representation), mediaPlaylist(representation, chunkSeconds, seconds)] as const,
    ),
  ]);
}

function mediaPlaylist(representation: string, chunkSeconds: number, seconds: number): string {
  const segments = Array.from({ length: Math.ceil(seconds / chunkSeconds) }, (_, index) => [
    `#EXTINF:${Math.min(chunkSeconds, seconds - index * chunkSeconds).toFixed(3)},`,
    `${representation}/${segmentFile(index + 1)}`,
  ]);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(chunkSeconds)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MEDIA-SEQUENCE:1',
    `#EXT-X-MAP:URI="${representation}/${initFile}"`,
    ...segments.flat(),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/** The manifest (ISO/IEC 23009-1) that plays the first `seconds` of an asset. */
export function manifestText(asset: PlayedStreams, seconds: number): string {
  return manifestDocument(asset, {
    presentation:
      `type="static" mediaPresentationDuration="PT${seconds}S" ` +
      `maxSegmentDuration="PT${asset.chunkSeconds}S" minBufferTime="PT${asset.chunkSeconds}S"`,
    adaptationSet: `frameRate="${asset.frameRate}"`,
    availability: [],
  });
}

export interface ManifestAttributes {
  /** Of the MPD element, besides name space and profile. */
  readonly presentation: string;
  /** Of the pictures. */
  readonly adaptationSet: string;
  /** Of the SegmentTemplate: from when on a segment can be asked for. */
  readonly availability: readonly string[];
}

/** An adaptation set of pictures with numbered segments, and one of sound where the film has it. */
export function manifestDocument(
  asset: ManifestStreams,
  { presentation, adaptationSet, availability }: ManifestAttributes,
): string {
  const template = [
    'timescale="1000"',
    `duration="${asset.chunkSeconds * 1000}"`,
    'startNumber="1"',
    ...availability,
    `initialization="$RepresentationID$/${initFile}"`,
    'media="$RepresentationID$/$Number%05d$.m4s"',
  ].join(' ');
  const setOf = (attributes: string, representations: readonly string[]): string[] => [
    `    <AdaptationSet ${attributes}>`,
    `      <SegmentTemplate ${template}/>`,
    ...representations,
    '    </AdaptationSet>',
  ];
  const pictures = setOf(
    `id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1"${adaptationSet === '' ? '' : ` ${adaptationSet}`}`,
    asset.tracks.map(
      (track) =>
        `      <Representation id="${track.representation}" codecs="${track.codecs}" ` +
        `bandwidth="${track.bitrateKbps * 1000}" width="${track.width}" height="${track.height}"/>`,
    ),
  );
  const sounds = soundOf(asset).flatMap((sound) =>
    setOf('id="1" contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1"', [
      `      <Representation id="${sound.representation}" codecs="${sound.codecs}" ` +
        `bandwidth="${sound.bitrateKbps * 1000}" audioSamplingRate="${sound.samplesPerSecond}">`,
      `        <AudioChannelConfiguration schemeIdUri="${channelScheme}" value="${sound.channels}"/>`,
      '      </Representation>',
    ]),
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<MPD xmlns="${namespace}" profiles="${profile}" ${presentation}>`,
    '  <Period id="0" start="PT0S">',
    ...pictures,
    ...sounds,
    '  </Period>',
    '</MPD>',
    '',
  ].join('\n');
}

/** Checks a written manifest: every element closed in order, and the representations of ladder and sound in it. @throws H2h3Error `internal` */
export function verifyManifest(text: string, asset: Pick<Asset, 'tracks' | 'sound'>, file: string): void {
  const open: string[] = [];
  for (const [tag, closing, name, selfClosing] of text.matchAll(
    /<(\/?)([A-Za-z]+)(?:\s+[\w:]+="[^"<&]*")*\s*(\/?)>/g,
  )) {
    if (closing === '/') {
      if (open.pop() !== name) throw invalid(file, `the end of an open element`, tag);
    } else if (selfClosing !== '/') {
      open.push(name ?? '');
    }
  }
  if (open.length > 0) throw invalid(file, 'every element closed', open.join(', '));
  const listed = [...text.matchAll(/<Representation id="([^"]+)" [^>]*bandwidth="(\d+)"/g)].map(
    ([, id, bandwidth]) => `${id} ${bandwidth}`,
  );
  const expected = [...asset.tracks, ...soundOf(asset)].map(
    (track) => `${track.representation} ${track.bitrateKbps * 1000}`,
  );
  if (listed.join() !== expected.join()) throw invalid(file, expected.join(), listed.join());
}

function invalid(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('internal', 'a DASH manifest came out wrong', { context: { file, expected, got } });
}
