import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { manifestText, playlists, verifyManifest } from '../../../../video/encoder/manifest.ts';

const track = (bitrateKbps: number) => ({
  representation: `${bitrateKbps}k`,
  bitrateKbps,
  width: 640,
  height: 360,
  codecs: 'avc1.42C01E',
  initBytes: 700,
  segmentBytes: [],
});
const tracks = [track(1000), track(2000)];
const text = manifestText({ tracks, chunkSeconds: 2, frameRate: '30' }, 12);

test('a manifest names length, chunk length and every track', () => {
  assert.match(text, /mediaPresentationDuration="PT12S"/);
  assert.match(text, /timescale="1000" duration="2000"/);
  assert.match(
    text,
    /<Representation id="2000k" codecs="avc1\.42C01E" bandwidth="2000000" width="640" height="360"\/>/,
  );
  verifyManifest(text, { tracks }, 'x.mpd');
});

test('a manifest with an open element or another ladder is refused', () => {
  const wrong = (damaged: string, against = tracks): void => {
    assert.throws(
      () => verifyManifest(damaged, { tracks: against }, 'x.mpd'),
      (error) => error instanceof H2h3Error && error.code === 'internal',
    );
  };
  wrong(text.replace('  </Period>\n', ''));
  wrong(text.replace('</AdaptationSet>', '</Period>'));
  wrong(text, [track(1000), track(3000)]);
});

test('playlists of HLS name the same segments, the last one as long as what is left', () => {
  const files = playlists({ tracks, chunkSeconds: 4, frameRate: '30' }, 10);
  assert.deepEqual([...files.keys()], ['play-10s.m3u8', '1000k-play-10s.m3u8', '2000k-play-10s.m3u8']);
  const [master = '', media = ''] = files.values();
  assert.match(
    master,
    /#EXT-X-STREAM-INF:BANDWIDTH=2000000,.*RESOLUTION=640x360,CODECS="avc1\.42C01E",FRAME-RATE=30\.000\n2000k-play-10s\.m3u8/,
  );
  assert.match(media, /#EXT-X-MAP:URI="1000k\/init\.mp4"/);
  const segments = [...media.matchAll(/#EXTINF:([\d.]+),\n(.+)/g)].map(([, seconds, file]) => [
    seconds,
    file,
  ]);
  assert.deepEqual(segments, [
    ['4.000', '1000k/00001.m4s'],
    ['4.000', '1000k/00002.m4s'],
    ['2.000', '1000k/00003.m4s'],
  ]);
  assert.match(media, /#EXT-X-ENDLIST\n$/);
});

const sound = {
  representation: 'sound',
  bitrateKbps: 128,
  codecs: 'mp4a.40.2',
  channels: 2,
  samplesPerSecond: 48_000,
  partSeconds: 1,
  initBytes: 700,
  segmentBytes: [],
};

test('sound is an adaptation set of its own, after that of the pictures, which stays as it is', () => {
  const heard = manifestText({ tracks, sound, chunkSeconds: 2, frameRate: '30' }, 12);
  verifyManifest(heard, { tracks, sound }, 'x.mpd');
  assert.throws(() => verifyManifest(text, { tracks, sound }, 'x.mpd'), /came out wrong/);
  const [, , set = ''] = heard.split(/(?=    <AdaptationSet)/);
  assert.equal(heard.replace(set, '  </Period>\n</MPD>\n'), text);
  assert.match(set, /^    <AdaptationSet id="1" contentType="audio" mimeType="audio\/mp4"/);
  assert.match(
    set,
    /<Representation id="sound" codecs="mp4a\.40\.2" bandwidth="128000" audioSamplingRate="48000">/,
  );
});

test('variants of HLS count the sound, which is a rendition with the same segments', () => {
  const files = playlists({ tracks, sound, chunkSeconds: 4, frameRate: '30' }, 8);
  assert.equal([...files.keys()].at(-1), 'sound-play-8s.m3u8');
  const [master = ''] = files.values();
  assert.match(master, /#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",.*URI="sound-play-8s\.m3u8"/);
  assert.match(master, /BANDWIDTH=2128000,.*CODECS="avc1\.42C01E,mp4a\.40\.2",.*AUDIO="sound"\n2000k-play/);
  assert.match(
    files.get('sound-play-8s.m3u8') ?? '',
    /URI="sound\/init\.mp4"\n#EXTINF:4\.000,\nsound\/00001\.m4s/,
  );
});
