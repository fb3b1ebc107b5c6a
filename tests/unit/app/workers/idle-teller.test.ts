import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idleTeller } from '../../../../src/app/workers/coordinate.ts';

test('a coordinator says after a minute that no worker runs a lease, then ever more seldom, and begins anew after one', () => {
  const said: string[] = [];
  let nowMs = 0;
  const tell = idleTeller(
    (line) => said.push(line),
    () => nowMs,
  );
  const saidAtSeconds = (seconds: number, active: number): number => {
    nowMs = seconds * 1000;
    said.length = 0;
    tell(active);
    return said.length;
  };
  const course: readonly (readonly [number, number, number])[] = [
    [59, 0, 0],
    [60, 0, 1],
    [61, 0, 0],
    [119, 0, 0],
    [120, 0, 1],
    [200, 0, 0],
    [210, 1, 0],
    [269, 0, 0],
    [271, 0, 1],
  ];
  for (const [seconds, active, lines] of course)
    assert.equal(saidAtSeconds(seconds, active), lines, `after ${seconds} s`);
  assert.match(said.join(), /no worker has run a lease for 1 min.* npx h2h3 worker/);
});
