import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { zipSync, type Zippable } from 'fflate';
import { zipEntries } from '../../../../src/core/system/zip-entries.ts';

const limits = { maxFiles: 10, maxBytes: 10_000_000 };
const text = (content: string): Uint8Array => new Uint8Array(Buffer.from(content));
const zipOf = (files: Zippable): Buffer => Buffer.from(zipSync(files));
const listed = 'PK\u0001\u0002';

function readAll(content: Buffer): Record<string, string> {
  const entries = zipEntries(content, limits);
  return Object.fromEntries(entries.map(({ name, read }) => [name, Buffer.from(read()).toString()]));
}

/** The archive with a field of its list's first entry written over. */
function with32(content: Buffer, offset: number, value: number): Buffer {
  const changed = Buffer.from(content);
  changed.writeUInt32LE(value, changed.indexOf(listed) + offset);
  return changed;
}

test('files stored and deflated come back, names in UTF-8 and behind a comment too, and folders are left out', () => {
  const files = {
    'a.txt': text('a'.repeat(5000)),
    'b/': text(''),
    'b/ü.txt': [text('ü'), { level: 0 as const }] as [Uint8Array, { level: 0 }],
    empty: text(''),
  };
  const expected = { 'a.txt': 'a'.repeat(5000), 'b/ü.txt': 'ü', empty: '' };
  assert.deepEqual(readAll(zipOf(files)), expected);
  const commented = Buffer.concat([zipOf(files), Buffer.from('a comment')]);
  commented.writeUInt16LE(9, commented.length - 11);
  assert.deepEqual(readAll(commented), expected);
  assert.deepEqual(zipEntries(Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]), limits), []);
});

test('a file that says less than it holds is refused as soon as it is unpacked further', () => {
  const deflated = zipOf({ 'a.txt': text('a'.repeat(50_000)) });
  for (const said of [0, 1, 49_999])
    assert.throws(() => readAll(with32(deflated, 24, said)), {
      message: `a.txt has more than the ${said} bytes that it says`,
    });
  assert.throws(() => readAll(with32(deflated, 24, 50_001)), {
    message: 'a.txt has 50000 bytes, not the 50001 that it says',
  });
});

test('many files that share one packed content, and say little of it, take no time', () => {
  // Each would be 100 MB.
  const packed = deflateRawSync(Buffer.alloc(100_000_000));
  const name = 'a.txt';
  const local = Buffer.alloc(30 + name.length);
  local.write('PK\u0003\u0004', 'latin1');
  local.writeUInt16LE(name.length, 26);
  local.write(name, 30);
  const list = Array.from({ length: 10 }, (_, index) => {
    const entry = Buffer.alloc(46 + name.length);
    entry.write(listed, 'latin1');
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(1, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.write(`${index}.txt`, 46);
    return entry;
  });
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(local.length + packed.length, 16);
  const content = Buffer.concat([local, packed, ...list, end]);
  assert.throws(() => zipEntries(content, limits), { message: /1\.txt .*lies over other files/ });
  const one = Buffer.from(content);
  one.writeUInt16LE(1, one.length - 12);
  const [first] = zipEntries(one, limits);
  assert.throws(() => first?.read(), { message: '0.txt has more than the 1 bytes that it says' });
});

test('content that is not what its checksum says is refused', () => {
  const stored = zipOf({ 'a.txt': [randomBytes(100), { level: 0 }] });
  stored.writeUInt8(stored.readUInt8(60) ^ 1, 60);
  assert.throws(() => readAll(stored), { message: 'a.txt has another checksum than it says' });
});

test('lists that lead elsewhere, lie or are too long are refused', () => {
  const content = zipOf({ 'a.txt': text('a'.repeat(500)), 'b.txt': text('b') });
  const refused: readonly (readonly [Buffer, RegExp])[] = [
    [with32(content, 42, content.length), /a\.txt is not where/],
    [with32(content, 42, 1), /a\.txt is not where/],
    [with32(content, 20, 0xffffffff), /sizes of a\.txt/],
    [with32(content, 24, 0xffffffff), /sizes of a\.txt/],
    [with32(content, 20, content.length), /b\.txt ends behind/],
    [with32(content, 20, content.length - 20), /ends behind|damaged|says/],
    [with32(content, 8, 0x0008_0001), /a\.txt is encrypted/],
    [with32(content, 8, 0x000c_0000), /a\.txt is packed by method 12/],
    [content.subarray(0, 60), /no end of a zip archive/],
    [Buffer.from('PK'), /no end of a zip archive/],
    [zipOf(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}`, text('')]))), /10 files/],
    [with32(zipOf({ a: new Uint8Array(20_000_000) }), 0, 0x02014b50), /more than 10000000 bytes/],
  ];
  for (const [index, [each, reason]] of refused.entries())
    assert.throws(() => readAll(each), { message: reason }, `case ${index}`);
});

test('bytes changed anywhere are an error in words or the same files', () => {
  const content = zipOf({ 'a.txt': text('abc'.repeat(100)), 'b/c.txt': text('d') });
  for (let at = 0; at < content.length; at++)
    for (const value of [0, 0xff, 0x80]) {
      const changed = Buffer.from(content);
      changed[at] = value;
      try {
        readAll(changed);
      } catch (thrown) {
        assert.ok(thrown instanceof Error && thrown.constructor === Error, `byte ${at}: ${String(thrown)}`);
      }
    }
});
