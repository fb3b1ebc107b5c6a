import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changedProperties } from '../../src/analyse/senders/changed-properties.ts';
import { senderProperties } from '../../src/analyse/senders/properties.ts';
import { sendersSchema } from '../../src/core/model/senders.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { faultVariable, overHttp3, readSenders } from '../support/planted-senders.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Those that are measured without `--all`. */
const usual = senderProperties.filter(({ readIn }) =>
  readIn.some((disturbance) => ['burst', 'outage', 'loss'].includes(disturbance)),
);

test('a sender is measured at the link over both protocols, once is not enough for a verdict, and the same command goes on', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const out = join(tempFolder(t), 'senders');
  const command = ['senders', '--server', 'caddy', '--repetitions', '1', '--out', out];
  const { stdout, stderr } = await runCli(command);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = ['disturbed', 'lossy'].flatMap((name) => readRecords(join(out, name)));
  assert.equal(records.length, 6, stderr);
  for (const { arm, status, reason } of records)
    assert.ok(status === 'ok' || machineWasLate(reason), `${arm}: ${reason}`);
  const { senders, headline } = sendersSchema.parse(
    JSON.parse(readFileSync(join(out, 'senders.json'), 'utf8')),
  );
  assert.equal(headline, 'No property of any sender is decided');
  assert.match(stdout, /^No property of any sender is decided\.$/m);
  for (const { protocol, properties, version } of senders) {
    assert.match(version ?? '', /^Caddy \d/);
    assert.deepEqual(
      properties.map(({ property }) => property),
      usual.map(({ id }) => id),
    );
    assert.ok(properties.every(({ verdict }) => verdict === 'not-decided'));
    const flight = properties.find(({ property }) => property === 'first-flight')?.median;
    // Linux begins with 10 packets, quic-go with 32.
    if (typeof flight === 'number')
      assert.ok(protocol === 'h2' ? flight <= 11 : flight > 20, `${protocol}: ${flight}`);
  }
  const csv = readFileSync(join(out, 'senders.csv'), 'utf8').trim().split('\r\n');
  assert.equal(csv.length, 1 + 2 * usual.length);
  assert.match(readFileSync(join(out, 'senders.html'), 'utf8'), /<figure class="link-course-figure">/);
  const again = await runCli([...command, '--baseline', join(out, 'senders.json')]);
  assert.match(again.stdout, /^No property changed\.$/m);
  assert.match(again.stderr, /disturbed: measured already/);
});

test('a server that there is not, and one that is named twice, are refused before anything is made', async (t) => {
  const out = join(tempFolder(t), 'senders');
  const unknown = await runCli(['senders', '--server', 'nginks', '--out', out]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /there is no server "nginks"[^]*nginx/);
  const twice = await runCli(['senders', '--server', 'caddy,caddy', '--out', out]);
  assert.equal(twice.code, 2);
  assert.match(twice.stderr, /names a server twice/);
});

test('a fault that is planted in the QUIC of a server is named by its property, and the server without it is not', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const folder = tempFolder(t);
  const measured = async (name: string, environment: Readonly<Record<string, string>>) => {
    const out = join(folder, name);
    const { stderr } = await runCli(
      ['senders', '--server', 'go', '--property', 'amplification', '--out', out],
      environment,
    );
    return { refused: pathRefused(stderr), out };
  };
  const without = await measured('without', {});
  const planted = await measured('planted', { [faultVariable]: 'no-amplification-limit' });
  const refused = without.refused ?? planted.refused;
  if (refused !== null) return t.skip(refused);
  const [clean, faulty] = [without, planted].map(({ out }) => readSenders(out));
  assert.ok(clean !== undefined && faulty !== undefined);
  assert.equal(overHttp3(clean, 'amplification')?.verdict, 'as-rfc', JSON.stringify(clean.senders));
  assert.equal(overHttp3(faulty, 'amplification')?.verdict, 'differs', JSON.stringify(faulty.senders));
  assert.match(faulty.headline, /^Go over HTTP\/3 differs in 1 of /);
  assert.match(faulty.senders[1]?.version ?? '', /planted fault no-amplification-limit$/);
  assert.deepEqual(
    changedProperties(clean, faulty).map(({ property, isWorse }) => [property, isWorse]),
    [['amplification', true]],
  );
});

test('a folder of another measurement is not taken for the same, and a property that there is not is named', async (t) => {
  const out = join(tempFolder(t), 'senders');
  mkdirSync(join(out, 'disturbed'), { recursive: true });
  writeFileSync(join(out, 'disturbed', 'plan.json'), '{}');
  const request = { schemaVersion: 1, servers: ['caddy'], client: 'best', repeats: 8, all: false };
  writeFileSync(join(out, 'request.json'), JSON.stringify(request));
  const other = await runCli(['senders', '--client', 'curl', '--out', out]);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /has another measurement of senders[^]*--out/);
  const unknown = await runCli(['senders', '--property', 'first-fligth', '--out', out]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Did you mean first-flight\?/);
});
