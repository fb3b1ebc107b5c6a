import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feltWords } from '../../../../src/analyse/answers/felt-words.ts';
import { headlineWords } from '../../../../src/analyse/wording/headline-words.ts';
import { metrics } from '../../../../src/core/metrics/registry.ts';

test('only a metric that compares pictures speaks of their quality: tracks of padded ladders differ in bitrate alone', () => {
  const speaking = metrics.filter(({ name }) =>
    /picture quality|sharp/.test(JSON.stringify([headlineWords(name), feltWords(name)])),
  );
  assert.deepEqual(
    speaking.map(({ name }) => name),
    ['meanVmaf'],
  );
});
