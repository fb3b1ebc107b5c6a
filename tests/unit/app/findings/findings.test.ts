import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFindingEntries, renderFindingsPage } from '../../../../reports/markdown/findings-page.ts';
import { renderFinding, renderFindingPicture } from '../../../../reports/markdown/render-finding.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { findingTimes, renewFindings } from '../../../../src/app/findings/findings.ts';
import { findings } from '../../../../src/app/findings/registry.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { presetNamed } from '../../../../src/app/presets/registry.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { appendRecord } from '../../../../src/store/journal.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks } from '../../../support/played-tracks.ts';
import { faultsIn, proseOf } from '../../../support/plain-words.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const now = new Date('2026-05-04T03:02:01Z');

/** A run of a finding as it lies there on that day, of which so many records are missing. */
function writeRun(out: string, id: string, missing = 0, day = '2026-05-04'): void {
  const { plan, records } = generateRun({ blocks: 8, plan: { name: `finding-${id}` } });
  const folder = join(out, `${id}-${day}`);
  createRunDirectory(folder, plan);
  const kept = records.slice(0, records.length - missing);
  kept.forEach((record) => appendRecord(join(folder, 'journal.jsonl'), record));
}

test('each finding has a preset of its own that can be planned, and stands in the page in their order', async () => {
  assert.equal(new Set(findings.map(({ preset }) => preset)).size, findings.length);
  for (const { preset } of findings) assert.ok(presetNamed(preset) !== undefined, preset);
  assert.ok((await findingTimes(findings)).every((timeMs) => timeMs > 0));
  const entries = new Map([...findings].reverse().map(({ id }) => [id, `## ${id}`]));
  const page = renderFindingsPage(findings, entries);
  assert.deepEqual(
    [...readFindingEntries(page).keys()],
    findings.map(({ id }) => id),
  );
});

test('the page of the project has the head that is made now, and only entries that were measured', () => {
  const page = readFileSync(join(projectDir, 'docs/findings.md'), 'utf8');
  assert.equal(renderFindingsPage(findings, readFindingEntries(page)), page);
  for (const [, entry] of readFindingEntries(page))
    assert.match(entry, /Measured on \d{4}-\d\d-\d\d with h2h3 \d+\.\d+\.\d+/);
});

test('one finding is renewed, the others stay as they are, and one that was never measured is not there', async (t) => {
  const folder = tempFolder(t);
  const page = join(folder, 'findings.md');
  const before = new Map([
    ['clients', 'of old'],
    ['instrument', 'older still'],
  ]);
  writeFileSync(page, renderFindingsPage(findings, before));
  writeRun(folder, 'clients');
  const { context } = contextThatSays();
  const { renewed, exitCode } = await renewFindings({ only: ['clients'], out: folder, page, now }, context);
  assert.deepEqual([renewed, exitCode], [['clients'], 0]);
  const text = readFileSync(page, 'utf8');
  const entries = readFindingEntries(text);
  assert.deepEqual([...entries.keys()], ['clients', 'instrument']);
  assert.equal(entries.get('instrument'), 'older still');
  const entry = entries.get('clients') ?? '';
  assert.match(entry, /!\[[^\]]+\]\(findings\/clients\.svg\)/);
  assert.match(entry, /\| Compared \|.*\n\|.*\n\| HTTP\/3 against HTTP\/2 \|/);
  assert.match(entry, /Measured on \d{4}-\d\d-\d\d with h2h3 .*: 8 blocks/);
  assert.match(entry, /`npx h2h3 findings --only clients`.*`npx h2h3 run finding-clients`/);
  assert.deepEqual(proseOf(entry).flatMap(faultsIn), []);
  assert.match(readFileSync(join(folder, 'findings/clients.svg'), 'utf8'), /^<svg[^]*class="db v-/);
  assert.match(entry, /\[clients\.csv\]\(findings\/clients\.csv\)/);
  const values = readFileSync(join(folder, 'findings/clients.csv'), 'utf8').trim().split('\r\n');
  // Two arms in eight blocks, of the metric that decides alone.
  assert.equal(values.length, 1 + 2 * 8);
  assert.ok(values.slice(1).every((line) => line.includes(',pltMs,')));
});

test('an arm that cannot be had here is named, and the others are told all the same', async (t) => {
  const folder = tempFolder(t);
  const page = join(folder, 'findings.md');
  const arms = parseArms(['h2', 'h3', 'h3+server=nginx']);
  const { plan, records } = generateRun({ blocks: 8, arms, plan: { name: 'finding-clients' } });
  const run = join(folder, 'clients-2026-05-04');
  createRunDirectory(run, plan);
  for (const record of records)
    appendRecord(
      join(run, 'journal.jsonl'),
      record.arm === 'h3+server=nginx'
        ? { ...record, status: 'unsupported', reason: 'nginx cannot be had', metrics: {} }
        : record,
    );
  const { context } = contextThatSays();
  const { renewed } = await renewFindings({ only: ['clients'], out: folder, page, now }, context);
  assert.deepEqual(renewed, ['clients']);
  const entry = readFindingEntries(readFileSync(page, 'utf8')).get('clients') ?? '';
  assert.match(entry, /Not measured here: HTTP\/3 from nginx\. nginx cannot be had\./);
  assert.doesNotMatch(entry, /no estimate/);
});

test('what was not measured whole, and what is no finding, leaves the page alone', async (t) => {
  const folder = tempFolder(t);
  const page = join(folder, 'findings.md');
  const { plan, records } = generateRun({ blocks: 2 });
  const run = join(folder, 'clients-2026-05-04');
  createRunDirectory(run, plan);
  for (const record of records)
    appendRecord(join(run, 'journal.jsonl'), { ...record, status: 'failed', reason: 'crashed', metrics: {} });
  const { context, said } = contextThatSays();
  const failed = await renewFindings({ only: ['clients'], out: folder, page, now }, context);
  assert.deepEqual([failed.renewed, failed.exitCode, existsSync(page)], [[], 4, false]);
  assert.match(said.join('\n'), /clients: not measured whole, so the page keeps what it says of clients/);
  await assert.rejects(renewFindings({ only: ['server'], page }, context), /there is no finding "server"/);
  writeFileSync(page, '# Mine\n');
  await assert.rejects(renewFindings({ only: ['clients'], page }, context), /is not of h2h3 and would be/);
  assert.equal(readFileSync(page, 'utf8'), '# Mine\n');
});

test('of recording the picture shows what it costs each arm, not the arms against each other', () => {
  const recording = findings.find(({ shows }) => shows === 'recording') ?? assert.fail();
  const fixture = summaryFixture({ pages: 2 });
  const cost = [
    { arm: 'h2', ratio: 1.21 },
    { arm: 'h3', ratio: 1.45 },
  ];
  const svg = renderFindingPicture(recording, {
    ...fixture,
    instrumentationOverhead: { ...fixture.instrumentationOverhead, cost },
  });
  assert.match(svg, /Recording changes load times: HTTP\/2 \+21\s%, HTTP\/3 \+45\s%\./);
  assert.match(svg, /recorded trials against timed trials · [^]*○ timed trials {3}● recorded trials</);
  assert.equal([...svg.matchAll(/class="db v-/g)].length, 2);
});

test('findings about films say their result in a sentence, in plain words and with a row for each comparison', () => {
  const ofFilms = findings.filter(({ id }) => id.startsWith('video-'));
  assert.deepEqual(
    ofFilms.map(({ id }) => id),
    ['video-window', 'video-players', 'video-sound'],
  );
  for (const finding of ofFilms) {
    const { plan } = planFromRequest(readPlanRequest(finding.preset, {}), 'test');
    const alter = (record: TrialRecord): TrialRecord => {
      const played = playedTracks(record, changingTracks);
      const metrics: TrialMetrics = { ...played.metrics };
      const less = record.arm === 'h3' ? 0.1 : 0;
      const noise = 0.001 * record.blockIndex;
      Object.assign(metrics, {
        fairnessIndex: 0.9 - less + noise,
        qoeVmaf: 80 - 90 * less + record.blockIndex,
      });
      return { ...played, metrics };
    };
    const made = generateRun({
      workloads: plan.workloads,
      arms: plan.arms,
      networks: [...new Set(plan.conditions.map(({ network }) => network))],
      blocks: plan.repetitions,
      slowdown: { h3: 1.3 },
      alter,
      plan: { name: finding.preset, compare: plan.compare, primary: plan.primary },
    });
    const summary = summarise(made.plan, made.records, null, []);
    const facts = {
      version: '1.0.0',
      machine: 'a machine',
      players: [],
      unsupported: new Map(),
      picture: `findings/${finding.id}.svg`,
      values: null,
    };
    const entry = renderFinding(finding, summary, facts);
    assert.match(entry, /^\*\*[A-Z][^*]+\.\*\*$/m);
    assert.doesNotMatch(entry, /undefined|NaN|No result/);
    assert.deepEqual(proseOf(entry).flatMap(faultsIn), [], finding.id);
    const compared = entry.split('\n').filter((line) => /^\| HTTP\/3 against HTTP\/2/.test(line));
    assert.equal(compared.length, (plan.compare?.length ?? 1) * plan.workloads.length, finding.id);
    const { trialId, workload, client, network, server } = made.plan.trials[0] ?? assert.fail();
    const lost = { trialId, workload, client, network, server, arm: 'h3', reasonCode: 'deadline' } as const;
    const troubles = [0, 1].map((blockIndex) => ({
      ...lost,
      blockIndex,
      status: 'failed' as const,
      reason: 'deadline',
    }));
    assert.match(
      renderFinding(finding, { ...summary, troubles }, facts),
      /^- 2 trials of HTTP\/3 failed: deadline\.$/m,
    );
  }
});
