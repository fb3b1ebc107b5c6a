import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOfScript } from '../../../../harness/clients/script-fault.ts';

test('a script that lacks a variable is told to be given it; watching it helps with anything else', () => {
  assert.equal(
    nextOfScript('failed: the variable SHOP_PASSWORD is not set'),
    'Set it for this command: SHOP_PASSWORD=… npx h2h3 …',
  );
  assert.equal(nextOfScript('did not end within 60 s'), 'Run with --headed to watch it.');
});
