import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { generateRun } from '../../../support/generated-run.ts';

/** Two builds of a browser over both protocols. */
function headlineOf(slowdown: Readonly<Record<string, number>>): string {
  const { plan, records } = generateRun({
    arms: parseArms(['chromium@152:h2', 'chromium@153:h2', 'chromium@152:h3', 'chromium@153:h3']),
    blocks: 12,
    slowdown,
    plan: {
      compare: [
        ['chromium@152:h2', 'chromium@153:h2'],
        ['chromium@152:h3', 'chromium@153:h3'],
      ],
    },
  });
  return summarise(plan, records, null, []).firstScreen.headline;
}

test('of two comparisons that changed alike both amounts are told', () => {
  assert.match(
    headlineOf({ 'chromium@153:h2': 0.8, 'chromium@153:h3': 0.7 }),
    /^Pages load (19|2\d) % faster over HTTP\/2 in Chromium 153, (29|3\d) % over HTTP\/3\.$/,
  );
});

test('what both protocols are under stands behind the protocol, so that it is not read as what made the difference', () => {
  const arms = ['h2+outage=2s@1s', 'h3+outage=2s@1s'] as const;
  const { plan, records } = generateRun({
    arms: parseArms(arms),
    blocks: 12,
    slowdown: { 'h3+outage=2s@1s': 0.7 },
    plan: { compare: [[...arms]] },
  });
  assert.match(
    summarise(plan, records, null, []).firstScreen.headline,
    /^Pages load (29|3\d) % faster over HTTP\/3 with an outage of 2 s after 1 s\.$/,
  );
});

test('of one that changed the other way it is told which is which', () => {
  assert.match(
    headlineOf({ 'chromium@153:h2': 1.3, 'chromium@153:h3': 0.7 }),
    /^Pages load [23]\d % slower over HTTP\/2 in Chromium 153, HTTP\/3 is better\.$/,
  );
});

test('of more than two comparisons that changed to one side the range is told, and nothing of one alone', () => {
  const servers = ['caddy', 'nginx', 'envoy'];
  const arms = servers.flatMap((server) => [`h2+server=${server}`, `h3+server=${server}`]);
  const { plan, records } = generateRun({
    arms: parseArms(arms),
    blocks: 12,
    slowdown: { 'h3+server=caddy': 2.7, 'h3+server=nginx': 4, 'h3+server=envoy': 3 },
    plan: { compare: servers.map((server) => [`h2+server=${server}`, `h3+server=${server}`]) },
  });
  const { headline, detail } = summarise(plan, records, null, []).firstScreen;
  assert.match(
    headline,
    /^Load time is worse in all 3 comparisons, by a factor of 2\.[67] to (3\.9|4(\.\d)?)\.$/,
  );
  assert.equal(detail, '');
});
