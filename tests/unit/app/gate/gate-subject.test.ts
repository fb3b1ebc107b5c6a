import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import {
  buildsOf,
  buildSubjects,
  factorOfGate,
  factorOfName,
  factorOfRequest,
  findSubjects,
  gateArms,
  gatePairs,
  type FoundClients,
  type GateSubjects,
} from '../../../../src/app/gate/gate-subject.ts';
import { armName } from '../../../../src/core/factors/arm-name.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const none: FoundClients = { clients: new Map(), best: undefined };

test('a gate of two versions of a server or player has it in its arms, one of browsers the client', () => {
  const servers = findSubjects(
    { baseline: 'nginx@1.26', candidate: 'nginx@1.30', force: false },
    'server',
    none,
  );
  assert.deepEqual(gateArms(servers, ['h2', 'h3']), [
    'h2+server=nginx@1.26',
    'h3+server=nginx@1.26',
    'h2+server=nginx@1.30',
    'h3+server=nginx@1.30',
  ]);
  const players = findSubjects({ baseline: 'dashjs@4', candidate: 'dashjs@5', force: false }, 'player', none);
  assert.deepEqual(gateArms(players, ['h3']), ['h3+player=dashjs@4', 'h3+player=dashjs@5']);
  const browsers = { factor: 'client', names: ['chromium@148', 'chromium@153'], warnings: [] } as const;
  assert.deepEqual(gateArms(browsers, ['h3']), ['chromium@148:h3', 'chromium@153:h3']);
  const itself = { factor: 'client', names: ['chromium', 'chromium'], warnings: [] } as const;
  assert.deepEqual(
    parseArms(gateArms(itself, ['h2', 'h3'])).map((arm) => [arm.label, armName(arm), arm.slug]),
    [
      ['chromium:h2', 'HTTP/2 in Chromium', 'chromium-h2'],
      ['chromium:h3', 'HTTP/3 in Chromium', 'chromium-h3'],
      ['chromium:h2#candidate', 'HTTP/2 in Chromium (candidate)', 'chromium-h2-candidate'],
      ['chromium:h3#candidate', 'HTTP/3 in Chromium (candidate)', 'chromium-h3-candidate'],
    ],
    'against itself too the candidate is called so, in every report',
  );
  assert.throws(() => gateArms(servers, ['h4']), /"h4" is no protocol/);
});

test('a gate keeps what the arms of its plan set, each once, and compares the versions in each of them alone', () => {
  const browsers = { factor: 'client', names: ['chromium@148', 'chromium@153'], warnings: [] } as const;
  const planned = ['firefox:h2+ipv6=broken', 'chromium:h2+ipv6=broken', 'h2', 'auto+ipv6=broken'];
  const arms = gateArms(browsers, ['h2', 'h3'], planned);
  assert.deepEqual(arms, [
    'chromium@148:h2+ipv6=broken',
    'chromium@148:h2',
    'chromium@153:h2+ipv6=broken',
    'chromium@153:h2',
  ]);
  assert.deepEqual(gatePairs(arms, browsers), [
    ['chromium@148:h2+ipv6=broken', 'chromium@153:h2+ipv6=broken'],
    ['chromium@148:h2', 'chromium@153:h2'],
  ]);
  assert.throws(() => gateArms(browsers, ['h1'], planned), /no arm of the plan is over h1/);
  const servers = { factor: 'server', names: ['nginx', 'nginx'], warnings: [] } as const;
  assert.deepEqual(gatePairs(gateArms(servers, ['h3'], ['firefox:h3+server=caddy']), servers), [
    ['firefox:h3+server=nginx', 'firefox:h3+server=nginx#candidate'],
  ]);
  const plain = gateArms(browsers, ['h2', 'h3'], ['firefox:h3', 'chromium:h3']);
  assert.equal(plain.length, 4, 'arms that set a protocol alone leave it to the gate');
  assert.equal(gatePairs(plain, browsers), undefined, 'both protocols are compared too');
  const three = gateArms(browsers, ['h1', 'h2', 'h3']);
  assert.deepEqual(gatePairs(three, browsers)?.at(-1), ['chromium@148:h3', 'chromium@153:h3']);
});

test('a server or player is known by its name, versions and slips in them too; a path is a client', () => {
  assert.deepEqual(
    [
      'nginx',
      'nginx@1.26',
      'nginx@x',
      'dashjs@4',
      'shaka',
      'curl@8.21',
      'chromium@153',
      './nginx@1/chrome',
    ].map(factorOfName),
    ['server', 'server', 'server', 'player', 'player', 'client', 'client', 'client'],
  );
});

test('what differs by more than its version is refused, or compared with a warning when it must be', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const refused = async (baseline: string, candidate: string): Promise<unknown> =>
    findSubjects(
      { baseline, candidate, force: false },
      await factorOfGate({ baseline, candidate }, setup),
      none,
    );
  for (const [baseline, candidate, message] of [
    ['nginx@1.26', 'caddy', /candidate caddy is server caddy; builds differ more/],
    ['nginx@1.26', 'chromium', /two browsers, two servers or two players, not nginx@1\.26 and chromium/],
    ['dashjs@4', 'hlsjs', /candidate hlsjs is player hlsjs; builds differ more/],
    ['nginx@1.x', 'nginx@1.30', /"nginx@1\.x" names no version of nginx/],
  ] as const)
    await assert.rejects(refused(baseline, candidate), (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'usage');
      assert.match(error.message, message);
      return true;
    });
  const forced = findSubjects({ baseline: 'nginx@1.26', candidate: 'caddy', force: true }, 'server', none);
  assert.match(forced.warnings[0] ?? '', /builds differ more than releases do/);
});

test('a client that cannot be had ends a gate with its own reason; `best` is called what it means here', () => {
  const chromium = { id: 'chromium', family: 'chromium', build: 'full' } as ClientIdentity;
  const missing = new H2h3Error('unsupported', 'Firefox is not installed here');
  const found = {
    clients: new Map<string, ClientIdentity | H2h3Error>([
      ['chromium', chromium],
      ['firefox', missing],
    ]),
    best: 'chromium',
  };
  const of = (baseline: string, candidate: string): GateSubjects =>
    findSubjects({ baseline, candidate, force: false }, 'client', found);
  assert.deepEqual(of('best', 'chromium').names, ['chromium', 'chromium']);
  assert.throws(() => of('chromium', 'firefox'), missing);
});

test('two builds of an app are two commands, and an address is where a build listens', () => {
  const commands = { baselineCommand: 'npm run main', candidateCommand: 'npm run branch' };
  assert.equal(buildsOf({ baseline: 'chromium@148', candidate: 'chromium@153' }), undefined);
  assert.deepEqual(buildsOf({ ...commands, candidate: 'http://localhost:3001' }), {
    baseline: { command: 'npm run main', readyWithinSeconds: 60 },
    candidate: { command: 'npm run branch', origin: 'http://localhost:3001', readyWithinSeconds: 60 },
  });
  assert.equal(factorOfRequest(commands), 'app');
  assert.deepEqual(gateArms(buildSubjects, ['h2', 'h3']), [
    'h2+app=baseline',
    'h3+app=baseline',
    'h2+app=candidate',
    'h3+app=candidate',
  ]);
  const [baseline] = parseArms(['h3+app=baseline']);
  assert.equal(baseline && armName(baseline), 'HTTP/3 from the baseline build');
  assert.throws(() => buildsOf({ baselineCommand: 'npm start' }), /compared by two command lines/);
  assert.throws(() => factorOfRequest({ baseline: 'chromium@148' }), /wants a run directory, or --baseline/);
  for (const origin of ['chromium@148', 'https://localhost:3000', 'http://localhost:3000/cart'])
    assert.throws(() => buildsOf({ ...commands, baseline: origin }), /^H2h3Error: --baseline: /);
});
