import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksNeededSentence } from '../../../../src/core/model/blocks-needed.ts';

test('how many blocks decide is said with its end, or that so few blocks cannot tell', () => {
  assert.equal(blocksNeededSentence([21, 147], 20), 'A decision may need 21 to 147 blocks.');
  assert.match(blocksNeededSentence([24, 24], 8), /about 24 blocks/);
  assert.equal(
    blocksNeededSentence([21, 200], 20),
    'A decision may need between 21 and more than 200 blocks. 20 are too few to say.',
  );
  assert.match(blocksNeededSentence(null, 20), /more than 200 blocks/);
  assert.match(blocksNeededSentence(null, 300), /more than 300 blocks/);
});
