import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hosts } from '../../../../reports/html/sections/hosts.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan, records } = generateRun({ blocks: 12, slowdown: { h3: 0.8 } });

function sectionOf(hostOf: (block: number) => string | undefined): string {
  const onHosts = records.map((record) => ({ ...record, host: hostOf(record.blockIndex) }));
  const summary = summarise(plan, onHosts, environmentFixture(['chromium'], ['host']), []);
  return String(hosts(reportContext(summary)));
}

test('the effect stands by machine, with its blocks', () => {
  const section = sectionOf((block) => `lab <${block % 3}>`);
  assert.match(section, /lab &lt;0&gt;<\/th><th scope="col">lab &lt;1&gt;/);
  assert.equal(section.match(/4 blocks/g)?.length, 3);
  assert.match(section, /these machines/);
  assert.match(
    sectionOf((block) => `lab-${block % 6}`),
    /other machines of the kind/,
  );
});

test('a run on one machine has no such section', () => {
  assert.equal(
    sectionOf(() => 'lab'),
    '',
  );
  assert.equal(
    sectionOf(() => undefined),
    '',
  );
});
