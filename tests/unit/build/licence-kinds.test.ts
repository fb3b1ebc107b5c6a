import assert from 'node:assert/strict';
import { test } from 'node:test';
import { licenceKind } from '../../../build/licence-kinds.ts';

test('a licence is known for what it asks: MPL-2.0 for the source of its own files, and no more', () => {
  const kinds = {
    MIT: 'permissive',
    'MIT AND ISC': 'permissive',
    'MPL-2.0': 'source of its files',
    'MPL-2.0 AND MIT': 'source of its files',
    'MPL-2.0 OR Apache-2.0': 'permissive',
    '(MPL-2.0 OR GPL-3.0-only) AND MIT': 'source of its files',
    'GPL-3.0-only': 'to be looked at',
    'MIT AND (GPL-2.0-only OR AGPL-3.0-only)': 'to be looked at',
    'GPL-2.0-only OR MIT AND GPL-3.0-only': 'to be looked at',
    'none named': 'to be looked at',
  };
  for (const [licence, kind] of Object.entries(kinds)) assert.equal(licenceKind(licence), kind, licence);
});
