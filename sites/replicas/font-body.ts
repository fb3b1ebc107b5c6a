import { seededBytes } from './seeded-bytes.ts';

const firstCharacter = 0x20;
const lastCharacter = 0x7e;
const unitsPerEm = 1000;
/** Heights of the bars that stand for letters; glyph 0 is the missing one, glyph 1 the empty space. */
const barHeights = [0, 0, 480, 700, 520, 480, 720, 460];
const barWidth = 420;
const advance = 520;

/** No font is smaller than this. */
export const smallestFontBytes = 1_200;

/**
 * A TrueType font of exactly `sizeBytes` (from `smallestFontBytes` on) for the printable ASCII characters, whose
 * letters are bars of several heights. A table that renderers do not know fills it up.
 * Format: https://learn.microsoft.com/typography/opentype/spec/otff.
 */
export function fontBody(sizeBytes: number, seed: string): Buffer {
  const tables = requiredTables();
  const directoryBytes = 12 + 16 * (tables.length + 1);
  const usedBytes = tables.reduce((sum, table) => sum + padded(table.data.length), directoryBytes);
  if (sizeBytes < usedBytes) throw new RangeError(`a font takes ${usedBytes} bytes, wanted ${sizeBytes}`);
  const filler = { tag: 'zzzz', data: seededBytes(seed, sizeBytes - usedBytes) };
  return assemble([...tables, filler]);
}

interface Table {
  readonly tag: string;
  readonly data: Buffer;
}

function requiredTables(): Table[] {
  const glyphs = barHeights.map(glyphOf);
  const tables: Table[] = [
    { tag: 'OS/2', data: os2() },
    { tag: 'cmap', data: cmap() },
    { tag: 'glyf', data: Buffer.concat(glyphs) },
    { tag: 'head', data: head() },
    { tag: 'hhea', data: hhea() },
    { tag: 'hmtx', data: words(barHeights.flatMap(() => [advance, 50])) },
    { tag: 'loca', data: words(offsets(glyphs).map((offset) => offset / 2)) },
    { tag: 'maxp', data: words([1, 0, barHeights.length, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]) },
    { tag: 'name', data: nameTable('H2H3 Bars') },
    { tag: 'post', data: post() },
  ];
  return tables;
}

function assemble(tables: readonly Table[]): Buffer {
  const powerOfTwo = 2 ** Math.floor(Math.log2(tables.length));
  const header = words([
    1,
    0,
    tables.length,
    powerOfTwo * 16,
    Math.log2(powerOfTwo),
    (tables.length - powerOfTwo) * 16,
  ]);
  let offset = header.length + tables.length * 16;
  const directory = tables.map((table) => {
    const entry = Buffer.alloc(16);
    entry.write(table.tag, 'latin1');
    entry.writeUInt32BE(checksum(table.data), 4);
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(table.data.length, 12);
    offset += padded(table.data.length);
    return entry;
  });
  const contents = tables.map((table, index) =>
    index === tables.length - 1
      ? table.data
      : Buffer.concat([table.data, Buffer.alloc(padded(table.data.length) - table.data.length)]),
  );
  return Buffer.concat([header, ...directory, ...contents]);
}

/** One closed rectangle, or nothing. */
function glyphOf(height: number): Buffer {
  if (height === 0) return Buffer.alloc(0);
  const outline = words([1, 50, 0, 50 + barWidth, height, 3, 0]);
  // Four points on the curve, each with two-byte differences.
  const flags = Buffer.from([1, 1, 1, 1]);
  const points = words([50, barWidth, 0, -barWidth, 0, 0, height, 0]);
  return Buffer.concat([outline, flags, points]);
}

function offsets(glyphs: readonly Buffer[]): number[] {
  return glyphs.reduce((list, glyph) => [...list, (list.at(-1) ?? 0) + glyph.length], [0]);
}

/** Format 4, one range with an array of glyph numbers, and the closing range. */
function cmap(): Buffer {
  const characters = Array.from({ length: lastCharacter - firstCharacter + 1 }, (_, index) => index);
  const barCount = barHeights.length - 2;
  const glyphNumbers = characters.map((index) => (index === 0 ? 1 : 2 + (index % barCount)));
  const ranges = [lastCharacter, 0xffff, 0, firstCharacter, 0xffff, 0, 1, 4, 0];
  const length = 14 + ranges.length * 2 + glyphNumbers.length * 2;
  return words([0, 1, 3, 1, 0, 12, 4, length, 0, 4, 4, 1, 0, ...ranges, ...glyphNumbers]);
}

function head(): Buffer {
  const before = words([1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 1, unitsPerEm]);
  const dates = Buffer.alloc(16);
  const after = words([0, 0, 50 + barWidth, 720, 0, 8, 2, 0, 0]);
  return Buffer.concat([before, dates, after]);
}

function hhea(): Buffer {
  return words([1, 0, 800, -200, 0, advance, 0, 0, 50 + barWidth, 1, 0, 0, 0, 0, 0, 0, 0, barHeights.length]);
}

function os2(): Buffer {
  const metrics = words([4, advance, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0]);
  const panoseRangesVendor = Buffer.concat([
    Buffer.alloc(10),
    words([0, 1]),
    Buffer.alloc(12),
    Buffer.from('h2h3'),
  ]);
  const rest = words([
    64,
    firstCharacter,
    lastCharacter,
    800,
    -200,
    0,
    800,
    200,
    0,
    1,
    0,
    0,
    480,
    700,
    0,
    32,
    1,
  ]);
  return Buffer.concat([metrics, panoseRangesVendor, rest]);
}

/** Family, style, full name and PostScript name, in English for Windows. */
function nameTable(family: string): Buffer {
  const names: readonly (readonly [number, string])[] = [
    [1, family],
    [2, 'Regular'],
    [4, family],
    [6, family.replaceAll(' ', '-')],
  ];
  let offset = 0;
  const records = names.map(([id, text]) => {
    const record = words([3, 1, 0x409, id, text.length * 2, offset]);
    offset += text.length * 2;
    return record;
  });
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  return Buffer.concat([words([0, names.length, 6 + names.length * 12]), ...records, ...texts]);
}

function post(): Buffer {
  return Buffer.concat([words([3, 0, 0, 0, -75, 50]), Buffer.alloc(20)]);
}

function words(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => buffer.writeUInt16BE(value & 0xffff, index * 2));
  return buffer;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function checksum(data: Buffer): number {
  let sum = 0;
  for (let index = 0; index < data.length; index += 4) {
    const word = data.length - index >= 4 ? data.readUInt32BE(index) : 0;
    sum = (sum + word) >>> 0;
  }
  return sum;
}
