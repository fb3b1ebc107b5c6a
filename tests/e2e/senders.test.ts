import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { senderProperties } from '../../src/analyse/senders/properties.ts';
import { sendersSchema } from '../../src/core/model/senders.ts';
import { readRecords, runCli, runCliHere } from '../support/cli.ts';
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
  const records = ['disturbed', 'outage', 'lossy'].flatMap((name) => readRecords(join(out, name)));
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
  const again = await runCliHere([...command, '--baseline', join(out, 'senders.json')]);
  assert.match(again.stdout, /^No property changed\.$/m);
  assert.match(again.stderr, /disturbed: measured already/);
});

test('a server that there is not, one that is named twice, and a time in which nothing can be measured are refused before anything begins', async (t) => {
  const out = join(tempFolder(t), 'senders');
  const unknown = await runCliHere(['senders', '--server', 'nginks', '--out', out]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /there is no server "nginks"[^]*nginx/);
  const twice = await runCliHere(['senders', '--server', 'caddy,caddy', '--out', out]);
  assert.equal(twice.code, 2);
  assert.match(twice.stderr, /names a server twice/);
  const hasty = await runCliHere(['senders', '--budget', '1s', '--out', out]);
  assert.equal(hasty.code, 2);
  assert.match(hasty.stderr, /nothing was measured: .*about .* min.*of the budget/);
});

/**
 * Faults that one server has at once, and what separates a trial with them from one without. Eight trials of each decide the same in
 * `fingerprint.test.ts` by given figures, and in `verify:senders` one fault after another.
 */
const plantedTogether = {
  // Three times, as RFC 9000, section 8.1, says.
  'no-amplification-limit': { property: 'amplification', run: 'short', limit: 3.1 },
  // Ten packets (RFC 9002, section 7.7), of which a busy machine may let two bursts leave as one.
  'window-after-rest': { property: 'rested-burst', run: 'rested', limit: 25 },
  // The browser gives the other answer up after 8 s; a megabyte takes half a second.
  'one-answer-at-a-time': { property: 'slow-reader', run: 'unread', limit: 7500 },
} as const;

type Planted = (typeof plantedTogether)[keyof typeof plantedTogether];

/** Of the one trial over HTTP/3; null where the machine was late. */
function valueIn(out: string, { property, run }: Planted): number | null {
  const measured = overHttp3(readSenders(out), property);
  assert.ok(measured !== undefined, property);
  if (measured.median !== null) return measured.median;
  const reasons = readRecords(join(out, run)).map(({ arm, status, reason }) => `${arm}: ${status} ${reason}`);
  assert.ok(reasons.some(machineWasLate), `${property} is not told: ${reasons.join('; ')}`);
  return null;
}

test('faults that are planted in the QUIC of a server are seen in their properties, and in none of the server without them', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const folder = tempFolder(t);
  const all = Object.values(plantedTogether);
  const measured = async (name: string, environment: Readonly<Record<string, string>>) => {
    const out = join(folder, name);
    const properties = all.map(({ property }) => property).join(',');
    const asked = `senders --server go --property ${properties} --repetitions 1 --out`;
    const { stderr } = await runCli([...asked.split(' '), out], environment);
    return { refused: pathRefused(stderr), out };
  };
  const without = await measured('without', {});
  const planted = await measured('planted', { [faultVariable]: Object.keys(plantedTogether).join(',') });
  const refused = without.refused ?? planted.refused;
  if (refused !== null) return t.skip(refused);
  assert.match(
    readSenders(planted.out).senders[1]?.version ?? '',
    /with the planted fault no-amplification-limit,/,
  );
  let isLate = false;
  for (const one of all) {
    const [clean, faulty] = [without, planted].map(({ out }) => valueIn(out, one));
    t.diagnostic(`${one.property}: ${clean} without, ${faulty} with its fault`);
    if (typeof clean === 'number') assert.ok(clean <= one.limit, `${one.property} without a fault: ${clean}`);
    if (typeof faulty === 'number')
      assert.ok(faulty > one.limit, `${one.property} with its fault: ${faulty}`);
    isLate ||= clean === null || faulty === null;
  }
  if (isLate) t.skip('the machine was late: not every property is told with its fault and without');
});

test('a folder of another measurement is not taken for the same, and a property that there is not is named', async (t) => {
  const out = join(tempFolder(t), 'senders');
  mkdirSync(join(out, 'disturbed'), { recursive: true });
  writeFileSync(join(out, 'disturbed', 'plan.json'), '{}');
  const request = { schemaVersion: 1, servers: ['caddy'], client: 'best', repeats: 8, all: false };
  writeFileSync(join(out, 'request.json'), JSON.stringify(request));
  const other = await runCliHere(['senders', '--client', 'curl', '--out', out]);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /has another measurement of senders[^]*--out/);
  const unknown = await runCliHere(['senders', '--property', 'first-fligth', '--out', out]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Did you mean first-flight\?/);
});
