import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { counted, kindNouns } from '../../src/analyse/figures/figures.ts';
import { allSentences } from './sentences.ts';

test('every headline, hint and sentence is as a person has read it (npm run golden:update writes what is new)', () => {
  const read = readFileSync(join(import.meta.dirname, 'sentences.txt'), 'utf8');
  assert.equal(allSentences(), read);
});

test('no sentence has a verb or a plural that its subject does not take', () => {
  const faults =
    /messagess|\bqoE|\bcPU|Stalls is|Objects is|CPU use \S.* are |time of the \S+ have|may (?:is|are) |(?:time|paint|size|score|Index) gain and lose|cases differing|[Hh]osts is|[Cc]onnections is/;
  const wrong = allSentences()
    .split('\n')
    .filter((line) => faults.test(line));
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    Object.values(kindNouns).map((noun) => counted(2, noun)),
    ['2 pages', '2 journeys', '2 videos', '2 downloads', '2 uploads', '2 message exchanges'],
  );
});
