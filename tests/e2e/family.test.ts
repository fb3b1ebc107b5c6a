import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { projectDir, readRecords, runCli } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const setup = await createSetupContext({ projectDir });

async function whyNoIpv6(): Promise<string | null> {
  return existsSync('/proc/net/if_inet6') ? namespaceLack() : 'the kernel of this machine has no IPv6';
}

interface Tried {
  readonly record: TrialRecord;
  readonly raw: RawTrial;
}

/** What the client can load: curl has no pages. */
const workloadOf = (client: string): string => (client === 'curl' ? 'download-1mb' : 'page-landing');

/** One trial of each arm over the emulated cable; null where the machine could not hold the path. */
async function trialsOf(t: TestContext, client: string, arms: string): Promise<readonly Tried[] | null> {
  const out = join(tempFolder(t), 'run');
  const words = [
    'run',
    '--workload',
    workloadOf(client),
    '--client',
    client,
    '--network',
    'cable',
    '--arms',
    arms,
  ];
  const more = ['--repetitions', '1', '--recorded', '0', '--quick-start', '--exploratory'];
  const { stderr } = await runCli([...words, ...more, '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) {
    t.skip(refused);
    return null;
  }
  const records = readRecords(out);
  assert.equal(records.length, arms.split(',').length, stderr);
  return records.map((record) => {
    const { arm, status, reason, trialId } = record;
    assert.ok(status === 'ok' || machineWasLate(reason), `${client} ${arm}: ${reason}`);
    return { record, raw: readEvidence(join(out, 'trials', trialId)).raw };
  });
}

test('pages come over IPv6 by both protocols, and a download of curl by one, by the link’s flows and by the server’s log', async (t) => {
  const lacking = await whyNoIpv6();
  if (lacking !== null) return t.skip(lacking);
  const clients = ['best', 'curl'];
  if ((await resolveClient('firefox', setup).catch(() => null)) !== null) clients.push('firefox');
  for (const client of clients) {
    const arms = client === 'curl' ? 'h2+family=6,h2+family=4' : 'h2+family=6,h3+family=6,h2+family=4';
    const trials = await trialsOf(t, client, arms);
    for (const { record, raw } of trials ?? []) {
      const about = `${client} ${record.arm}`;
      const wanted = Number(record.factors.family);
      assert.deepEqual(new Set(raw.serverLog?.map(({ family }) => family)), new Set([wanted]), about);
      assert.deepEqual(new Set(raw.linkFlows?.map(({ family }) => family)), new Set([wanted]), about);
      assert.equal(raw.testbed?.links[0]?.family, record.factors.family, about);
    }
  }
});

test('names that a resolver answers lead to IPv6 alone', async (t) => {
  const lacking = await whyNoIpv6();
  if (lacking !== null) return t.skip(lacking);
  const trials = await trialsOf(
    t,
    'best',
    'auto+discovery=https-record+family=6,auto+discovery=alt-svc+family=6',
  );
  for (const { record, raw } of trials ?? []) {
    const answered = raw.discovery?.questions.filter(({ found }) => found).map(({ type }) => type);
    assert.ok(answered?.includes('AAAA') && !answered.includes('A'), record.arm);
    assert.deepEqual(new Set(raw.serverLog?.map(({ family }) => family)), new Set([6]), record.arm);
  }
});

test('of both versions a browser takes IPv6, and where it is broken IPv4 after a wait', async (t) => {
  const lacking = await whyNoIpv6();
  if (lacking !== null) return t.skip(lacking);
  const trials = await trialsOf(
    t,
    'best',
    'h2+family=both,h3+family=both,h2+family=both+ipv6=broken,h2+family=both+aaaa=+200ms',
  );
  for (const { record, raw } of trials ?? []) {
    const { arm, factors, metrics } = record;
    const isBroken = factors.ipv6 === 'broken';
    assert.equal(metrics['connectFamily'], isBroken ? 4 : 6, arm);
    const raceMs = metrics['addressRaceMs'];
    assert.ok(
      isBroken ? Number(raceMs) > 100 && Number(raceMs) < 1000 : raceMs === undefined,
      `${arm}: ${raceMs}`,
    );
    const late = raw.nameQuestions?.filter(({ answeredAfterMs = 0 }) => answeredAfterMs >= 199);
    assert.equal(
      late?.some(({ type }) => type === 'AAAA'),
      factors.aaaa !== undefined,
      arm,
    );
  }
});

test('of both versions curl takes IPv6 from every server of downloads, and IPv4 where IPv6 is broken', async (t) => {
  const lacking = await whyNoIpv6();
  if (lacking !== null) return t.skip(lacking);
  const arms: string[] = [];
  for (const software of serverSoftware) {
    if ((await software.find(setup)) === undefined) continue;
    const { id, scope } = software;
    // curl with ngtcp2 gets no connection to HAProxy 3.0 over HTTP/3 (docs/clients-and-servers.md).
    const protocol = scope === undefined && id !== 'nginx' ? 'h2' : 'h3';
    arms.push(...['', '+ipv6=broken'].map((ipv6) => `${protocol}+server=${id}+family=both${ipv6}`));
  }
  assert.ok(arms.length >= 2, 'a server is here');
  const trials = await trialsOf(t, 'curl', arms.join(','));
  for (const { record, raw } of trials ?? []) {
    const { arm, factors, metrics } = record;
    const taken = factors.ipv6 === 'broken' ? 4 : 6;
    const carried = raw.linkFlows?.toSorted((a, b) => b.downBytes - a.downBytes)[0];
    assert.equal(carried?.family, taken, arm);
    const logged = raw.serverLog?.map(({ family }) => family) ?? [];
    assert.ok(
      logged.every((family) => family === undefined || family === taken),
      arm,
    );
    if (metrics['connectFamily'] !== null) assert.equal(metrics['connectFamily'], taken, arm);
  }
});
