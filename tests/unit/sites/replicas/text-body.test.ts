import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { toleranceBytes } from '../../../../sites/replicas/object-size.ts';
import { bodyWireBytes, textBody } from '../../../../sites/replicas/text-body.ts';

const compose = ({ dense, light }: { dense: string; light: string }): string => `h(1);/*${dense}${light}*/`;

test('an encoded body has its recorded size, and decodes to what was composed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 40, max: 60_000 }),
      fc.double({ min: 1.4, max: 12, noNaN: true }),
      fc.string(),
      async (wireBytes, ratio, seed) => {
        const rawBytes = Math.round(wireBytes * ratio);
        const body = await textBody({ compose, wireBytes, rawBytes, seed });
        assert.ok(Math.abs(bodyWireBytes(body) - wireBytes) <= toleranceBytes(wireBytes));
        if (body.brotli === null) return;
        assert.deepEqual(brotliDecompressSync(body.brotli), body.raw);
        assert.match(body.raw.toString(), /^h\(1\);\/\*[^*]*\*\/$/);
        assert.ok(Math.abs(body.raw.length - rawBytes) <= Math.max(200, rawBytes * 0.05));
      },
    ),
    { numRuns: 60 },
  );
});

test('sizes at which the encoder changes its ways are met as well', async () => {
  for (const [wireBytes, ratio, seed] of [
    [1355, 1.4, 'qI'],
    [3000, 1.4, 'd'],
    [3000, 1.5, 'd'],
  ] as const) {
    const body = await textBody({ compose, wireBytes, rawBytes: Math.round(wireBytes * ratio), seed });
    assert.ok(
      Math.abs(bodyWireBytes(body) - wireBytes) <= toleranceBytes(wireBytes),
      `${wireBytes} ${ratio} ${seed}`,
    );
  }
});

test('a body that encoding did not shrink is sent as it is, to the byte', async () => {
  for (const wireBytes of [9, 10, 64, 1_000, 123_457]) {
    const body = await textBody({ compose, wireBytes, rawBytes: wireBytes, seed: 's' });
    assert.equal(body.brotli, null);
    assert.equal(body.raw.length, wireBytes);
  }
});

test('a fixed part larger than the recorded size is kept whole', async () => {
  const long = (): string => 'x'.repeat(500);
  const body = await textBody({ compose: long, wireBytes: 10, rawBytes: 10, seed: 's' });
  assert.equal(body.raw.toString(), long());
});

test('the same seed gives the same bytes, another seed others', async () => {
  const options = { compose, wireBytes: 3_000, rawBytes: 9_000 };
  const [first, again, other] = await Promise.all(
    ['a', 'a', 'b'].map((seed) => textBody({ ...options, seed })),
  );
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, other);
});
