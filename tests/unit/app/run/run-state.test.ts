import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunProgressState, type RunState } from '../../../../src/app/run/run-state.ts';

const wholeWay: readonly RunState[] = [
  'starting',
  'checking',
  'warming up',
  'measuring',
  'publishing',
  'over',
];

test('a run goes its way state by state, and says what it does where it waits', () => {
  const shown: string[] = [];
  const state = new RunProgressState({ reporter: ({ title }) => void shown.push(title) });
  const seen = wholeWay.map((to) => {
    state.advance(to);
    return state.now;
  });
  assert.deepEqual(seen, wholeWay);
  assert.deepEqual(shown, ['Starting what pages are loaded from']);
});

test('a run of which nothing is left to measure is published at once', () => {
  const state = new RunProgressState({ reporter: () => undefined });
  state.advance('publishing');
  assert.equal(state.now, 'publishing');
});

test('no state is passed over, and none comes again', () => {
  const state = new RunProgressState({ reporter: () => undefined });
  assert.throws(() => state.advance('measuring'), /cannot go from "opened" to "measuring"/);
  state.advance('starting');
  assert.throws(() => state.advance('starting'), /cannot go from "starting" to "starting"/);
  assert.throws(() => state.advance('publishing'), /cannot go from "starting" to "publishing"/);
});
