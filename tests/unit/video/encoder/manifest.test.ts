import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { manifestText, verifyManifest } from '../../../../video/encoder/manifest.ts';

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
const text = manifestText({ tracks, chunkSeconds: 2, framesPerSecond: 30 }, 12);

test('a manifest names length, chunk length and every track', () => {
  assert.match(text, /mediaPresentationDuration="PT12S"/);
  assert.match(text, /timescale="1000" duration="2000"/);
  assert.match(
    text,
    /<Representation id="2000k" codecs="avc1\.42C01E" bandwidth="2000000" width="640" height="360"\/>/,
  );
  verifyManifest(text, tracks, 'x.mpd');
});

test('a manifest with an open element or another ladder is refused', () => {
  const wrong = (damaged: string, against = tracks): void => {
    assert.throws(
      () => verifyManifest(damaged, against, 'x.mpd'),
      (error) => error instanceof H2h3Error && error.code === 'internal',
    );
  };
  wrong(text.replace('  </Period>\n', ''));
  wrong(text.replace('</AdaptationSet>', '</Period>'));
  wrong(text, [track(1000), track(3000)]);
});
