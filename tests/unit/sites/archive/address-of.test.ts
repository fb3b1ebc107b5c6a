import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, queryOf } from '../../../../sites/archive/address-of.ts';
import { wirePaths } from '../../../support/wire-paths.ts';

test('an address that is taken apart and put together again is the same, with a bare question mark too', () => {
  for (const [, sent] of wirePaths) {
    const url = new URL(`https://a.example${sent}`);
    const again = addressOf({ host: url.hostname, path: url.pathname, ...queryOf(url) });
    assert.equal(again, `https://a.example${sent}`);
  }
  assert.deepEqual(queryOf(new URL('https://a.example/x?#part')), { query: '', bareQuery: true });
  assert.deepEqual(queryOf(new URL('https://a.example/x#part?')), { query: '' });
  assert.deepEqual(queryOf(new URL('https://a.example/x??')), { query: '?' });
});
