import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOfScript } from '../../../../harness/clients/script-fault.ts';
import { hasDisplay } from '../../../../src/core/system/display.ts';

test('a script that lacks a variable is told to be given it; watching it helps with anything else, where it can be watched', () => {
  assert.equal(nextOfScript('SHOP_PASSWORD', false), 'Set it for this command: SHOP_PASSWORD=… npx h2h3 …');
  assert.equal(nextOfScript(undefined, true), 'Run with --headed to watch it.');
  assert.doesNotMatch(nextOfScript(undefined, false), /^Run with --headed/);
});

test('a window is seen where a display is named, and on every other system than Linux', () => {
  assert.equal(hasDisplay({}, 'linux'), false);
  assert.equal(hasDisplay({ DISPLAY: '' }, 'linux'), false);
  assert.equal(hasDisplay({ DISPLAY: ':0' }, 'linux'), true);
  assert.equal(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), true);
  assert.equal(hasDisplay({}, 'darwin'), true);
});
