import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canRewrite, wantsColour } from '../../../src/cli/terminal.ts';

const terminal = { isTTY: true };

test('colours need a terminal that has them and nobody who forbids them', () => {
  assert.equal(wantsColour(terminal, { TERM: 'xterm' }), true);
  assert.equal(wantsColour(terminal, { TERM: 'xterm', NO_COLOR: '' }), true, 'an empty one forbids nothing');
  assert.equal(wantsColour(terminal, { TERM: 'xterm', NO_COLOR: '1' }), false);
  assert.equal(wantsColour(terminal, { TERM: 'dumb' }), false);
  assert.equal(wantsColour({ isTTY: false }, { TERM: 'xterm' }), false);
});

test('a dumb terminal rewrites no line', () => {
  assert.equal(canRewrite(terminal, { TERM: 'dumb' }), false);
  assert.equal(canRewrite(terminal, { TERM: 'xterm', NO_COLOR: '1' }), true);
});
