import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCmcd, splitCmcd, withCmcd } from '../../../../src/core/model/cmcd.ts';

const encoded =
  'bl%3D4200%2Cbr%3D1000%2Cbs%2Cd%3D2000%2Cnor%3D%22..%252F2.m4s%22%2Cot%3Dv%2Csid%3D%22a%2Cb%22';

test('what a player tells is taken out of the address, wherever it stands in the query', () => {
  const plain = 'https://media.test/a/1.m4s';
  assert.deepEqual(splitCmcd(`${plain}?CMCD=${encoded}`), { address: plain, cmcd: encoded });
  assert.deepEqual(splitCmcd(`${plain}?x=1&CMCD=${encoded}`), { address: `${plain}?x=1`, cmcd: encoded });
  assert.deepEqual(splitCmcd(`${plain}?CMCD=${encoded}&x=1`), { address: `${plain}?x=1`, cmcd: encoded });
  assert.deepEqual(splitCmcd(`${plain}?x=CMCD`), { address: `${plain}?x=CMCD`, cmcd: undefined });
  assert.deepEqual(splitCmcd(withCmcd('/a/1.m4s', encoded)), { address: '/a/1.m4s', cmcd: encoded });
  assert.equal(withCmcd(plain, undefined), plain);
});

test('keys are read with numbers, words, flags and quoted text that holds commas', () => {
  assert.deepEqual(
    [...readCmcd(encoded)],
    [
      ['bl', '4200'],
      ['br', '1000'],
      ['bs', 'true'],
      ['d', '2000'],
      ['nor', '..%2F2.m4s'],
      ['ot', 'v'],
      ['sid', 'a,b'],
    ],
  );
  assert.equal(readCmcd('br%3D10%').size, 0);
});
