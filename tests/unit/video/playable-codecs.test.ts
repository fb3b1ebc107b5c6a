import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codecFault } from '../../../video/page/playable-codecs.ts';

const manifest = (...codecs: string[]): string =>
  codecs.map((codec, index) => `<Representation id="${index}" codecs="${codec}" bandwidth="1"/>`).join('\n');
const onlyH264 = (type: string): boolean => type.includes('avc1');

test('a browser that lacks every codec of a manifest is told so, each codec once', () => {
  assert.equal(
    codecFault(manifest('av01.0.04M.08', 'av01.0.04M.08', 'vp09.00.10.08'), onlyH264),
    'this browser cannot play video/mp4; codecs="av01.0.04M.08" or video/mp4; codecs="vp09.00.10.08"',
  );
});

test('one codec that it has is enough, and a manifest without codecs is left to the player', () => {
  assert.equal(codecFault(manifest('avc1.42C01E', 'av01.0.04M.08'), onlyH264), undefined);
  assert.equal(codecFault('<MPD/>', onlyH264), undefined);
});

test('pictures that can be played do not make up for sound that cannot, nor sound for pictures', () => {
  const set = (mimeType: string, codec: string): string =>
    `<AdaptationSet mimeType="${mimeType}">${manifest(codec)}</AdaptationSet>`;
  const film = set('video/mp4', 'avc1.42C01E') + set('audio/mp4', 'mp4a.40.2');
  assert.equal(codecFault(film, onlyH264), 'this browser cannot play audio/mp4; codecs="mp4a.40.2"');
  const onlyAac = (type: string): boolean => type.includes('mp4a');
  assert.equal(codecFault(film, onlyAac), 'this browser cannot play video/mp4; codecs="avc1.42C01E"');
  assert.equal(
    codecFault(film, () => true),
    undefined,
  );
});
