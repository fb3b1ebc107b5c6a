import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { generateRun } from '../../../support/generated-run.ts';

// Two arms leave the server open: they had the condition's, which the arms that set one are told apart from.
const { plan, records } = generateRun({
  arms: parseArms(['h2', 'h3', 'h2+server=nginx', 'h3+server=nginx']),
  workloads: [{ id: 'page-a', kind: 'page' }],
  slowdown: { 'h3+server=nginx': 1.2 },
  noise: 0.005,
});

test('a crossed factor that some arms leave open is told with the value that they had', () => {
  const told = summarise(plan, records, null, []).headline.join('\n');
  assert.match(told, /HTTP\/3 alone got worse, the server over HTTP\/2 did not change\. From Caddy to nginx/);
  assert.doesNotMatch(told, /no server/);
});

test('a gate blames what was crossed, be it the browser or not', () => {
  const { comparisons, attribution } = judgeGate(plan, records);
  const [worse] = comparisons.filter(({ verdict }) => verdict === 'worse');
  assert.match(worse?.sentence ?? '', /HTTP\/3 from nginx .* HTTP\/3 from Caddy/);
  assert.equal(attribution[0]?.cause, 'protocol');
  assert.match(attribution[0]?.sentence ?? '', /the regression is of HTTP\/3, not of the server as a whole/);
});

test('a gate over two clients by two servers names the servers, not twice the same protocol', () => {
  const crossed = generateRun({
    arms: parseArms(['old:h3', 'old:h3+server=nginx', 'new:h3', 'new:h3+server=nginx']),
    workloads: [{ id: 'page-a', kind: 'page' }],
    slowdown: { 'new:h3': 1.2, 'new:h3+server=nginx': 1.2 },
    noise: 0.005,
  });
  const [first] = judgeGate(crossed.plan, crossed.records).attribution;
  assert.match(first?.sentence ?? '', /the browser became worse over Caddy and nginx alike/);
});
