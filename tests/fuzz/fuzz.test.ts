import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzReader } from './fuzz-reader.ts';
import { loadReaders } from './readers.ts';

/** The long version is `npm run fuzz`. */
const inputs = 30;

for (const { reader } of await loadReaders()) {
  test(`whatever ${reader.id} is given, it is read or refused in words`, async () => {
    const { faults } = await fuzzReader(reader, { seed: 1, to: inputs });
    assert.deepEqual(
      faults.map(({ index, what, input }) => `${index}: ${what}\n${input.toString('utf8').slice(0, 300)}`),
      [],
    );
  });
}
