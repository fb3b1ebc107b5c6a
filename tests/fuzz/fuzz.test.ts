import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzReader } from './fuzz-reader.ts';
import { readers } from './readers.ts';

/** The long version is `npm run fuzz`. */
const inputs = 60;

for (const reader of readers) {
  test(`whatever ${reader.id} is given, it is read or refused in words`, async () => {
    const { faults, accepted } = await fuzzReader(reader, { seed: 1, to: inputs });
    assert.ok(accepted >= reader.corpus.length, 'the inputs that are as they should be are not read');
    assert.deepEqual(
      faults.map(({ index, what, input }) => `${index}: ${what}\n${input.toString('utf8').slice(0, 300)}`),
      [],
    );
  });
}
