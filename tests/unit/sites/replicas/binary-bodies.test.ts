import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { fontBody, smallestFontBytes } from '../../../../sites/replicas/font-body.ts';
import { gifBody, pngBody } from '../../../../sites/replicas/image-body.ts';

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Chunks of a PNG; checks lengths and checksums. */
function chunksOf(png: Buffer): Chunk[] {
  assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
  const chunks: Chunk[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(crc32(body), png.readUInt32BE(at + 8 + length));
    chunks.push({ type: body.subarray(0, 4).toString('latin1'), data: body.subarray(4) });
    at += length + 12;
  }
  return chunks;
}

test('a picture of any size has that size and holds the pixels its header promises', () => {
  for (const sizeBytes of [67, 79, 100, 150, 151, 1_000, 12_345, 100_000, 459_984]) {
    const png = pngBody(sizeBytes, 'seed');
    assert.ok(png.length <= sizeBytes && png.length > sizeBytes - 12, `${png.length} for ${sizeBytes}`);
    const chunks = chunksOf(png);
    assert.equal(chunks.at(-1)?.type, 'IEND');
    const header = chunks[0]?.data ?? Buffer.alloc(13);
    const width = header.readUInt32BE(0);
    const height = header.readUInt32BE(4);
    const depth = header.readUInt8(8);
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data));
    assert.equal(inflateSync(data).length, height * (1 + Math.ceil((width * depth) / 8)));
  }
});

test('most bytes of a picture are pixels, so that it paints while it arrives', () => {
  const chunks = chunksOf(pngBody(50_000, 'seed'));
  const pixels = chunks.find(({ type }) => type === 'IDAT')?.data.length ?? 0;
  assert.ok(pixels > 49_000, `${pixels} of 50000`);
});

test('the smallest picture is a GIF of 35 bytes', () => {
  assert.equal(gifBody().subarray(0, 6).toString('latin1'), 'GIF89a');
  assert.equal(gifBody().length, 35);
});

test('a font has its size, and its tables lie where the directory says', () => {
  for (const sizeBytes of [smallestFontBytes, smallestFontBytes + 1, 5_003, 34_186]) {
    const font = fontBody(sizeBytes, 'seed');
    assert.equal(font.length, sizeBytes);
    const count = font.readUInt16BE(4);
    const tags = Array.from({ length: count }, (_, index) => {
      const at = 12 + index * 16;
      assert.ok(font.readUInt32BE(at + 8) + font.readUInt32BE(at + 12) <= sizeBytes);
      return font.subarray(at, at + 4).toString('latin1');
    });
    assert.deepEqual(tags, tags.toSorted());
    for (const tag of ['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'OS/2', 'post']) {
      assert.ok(tags.includes(tag), tag);
    }
  }
});
