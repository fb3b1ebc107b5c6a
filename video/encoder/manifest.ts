import { H2h3Error } from '../../src/model/errors.ts';
import type { Asset } from './asset.ts';
import { initFile, segmentFile } from './asset.ts';
import { rateOf } from './film-pictures.ts';

const namespace = 'urn:mpeg:dash:schema:mpd:2011';
const profile = 'urn:mpeg:dash:profile:isoff-live:2011';

export function manifestFile(seconds: number): string {
  return `play-${seconds}s.mpd`;
}

/** Of HLS, beside the manifest of DASH. */
function playlistFile(seconds: number): string {
  return `play-${seconds}s.m3u8`;
}

/** HLS playlists (RFC 8216) over the same segments, by file name: the master, and one for each track. */
export function playlists(
  asset: Pick<Asset, 'tracks' | 'chunkSeconds'> & { readonly frameRate: string },
  seconds: number,
): ReadonlyMap<string, string> {
  const mediaFile = ({ representation }: Asset['tracks'][number]): string =>
    `${representation}-${playlistFile(seconds)}`;
  const variants = asset.tracks.flatMap((track) => {
    const bitsPerSecond = track.bitrateKbps * 1000;
    const attributes = [
      `BANDWIDTH=${bitsPerSecond}`,
      `AVERAGE-BANDWIDTH=${bitsPerSecond}`,
      `RESOLUTION=${track.width}x${track.height}`,
      `CODECS="${track.codecs}"`,
      `FRAME-RATE=${rateOf(asset.frameRate).toFixed(3)}`,
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, mediaFile(track)];
  });
  const master = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...variants, ''].join('\n');
  return new Map([
    [playlistFile(seconds), master],
    ...asset.tracks.map((track) => [mediaFile(track), mediaPlaylist(asset, track, seconds)] as const),
  ]);
}

function mediaPlaylist(
  { chunkSeconds }: Pick<Asset, 'chunkSeconds'>,
  { representation }: Asset['tracks'][number],
  seconds: number,
): string {
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
export function manifestText(
  asset: Pick<Asset, 'tracks' | 'chunkSeconds'> & { readonly frameRate: string },
  seconds: number,
): string {
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
  readonly adaptationSet: string;
  /** Of the SegmentTemplate: from when on a segment can be asked for. */
  readonly availability: readonly string[];
}

/** One video adaptation set with numbered segments. */
export function manifestDocument(
  asset: Pick<Asset, 'tracks' | 'chunkSeconds'>,
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
  const representations = asset.tracks.map(
    (track) =>
      `      <Representation id="${track.representation}" codecs="${track.codecs}" ` +
      `bandwidth="${track.bitrateKbps * 1000}" width="${track.width}" height="${track.height}"/>`,
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<MPD xmlns="${namespace}" profiles="${profile}" ${presentation}>`,
    '  <Period id="0" start="PT0S">',
    `    <AdaptationSet id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1"${adaptationSet === '' ? '' : ` ${adaptationSet}`}>`,
    `      <SegmentTemplate ${template}/>`,
    ...representations,
    '    </AdaptationSet>',
    '  </Period>',
    '</MPD>',
    '',
  ].join('\n');
}

/** Checks a written manifest: every element closed in order, and the ladder's representations in it. @throws H2h3Error `internal` */
export function verifyManifest(text: string, tracks: Asset['tracks'], file: string): void {
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
  const expected = tracks.map((track) => `${track.representation} ${track.bitrateKbps * 1000}`);
  if (listed.join() !== expected.join()) throw invalid(file, expected.join(), listed.join());
}

function invalid(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('internal', 'a DASH manifest came out wrong', { context: { file, expected, got } });
}
