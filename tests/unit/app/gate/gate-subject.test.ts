import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorOfName, findSubjects, gateArms } from '../../../../src/app/gate/gate-subject.ts';
import { armName } from '../../../../src/factors/arm-name.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a gate of two versions of a server has the server in its arms, one of browsers the client', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const servers = await findSubjects(
    { baseline: 'nginx@1.26', candidate: 'nginx@1.30', force: false },
    setup,
  );
  assert.deepEqual(gateArms(servers, ['h2', 'h3']), [
    'h2+server=nginx@1.26',
    'h3+server=nginx@1.26',
    'h2+server=nginx@1.30',
    'h3+server=nginx@1.30',
  ]);
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

test('a server is known by its name, versions and slips in them too; a path is a client', () => {
  assert.deepEqual(
    ['nginx', 'nginx@1.26', 'nginx@x', 'curl@8.21', 'chromium@153', './nginx@1/chrome'].map(factorOfName),
    ['server', 'server', 'server', 'client', 'client', 'client'],
  );
});

test('what differs by more than its version is refused, or compared with a warning when it must be', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const refused = (baseline: string, candidate: string): Promise<unknown> =>
    findSubjects({ baseline, candidate, force: false }, setup);
  for (const [baseline, candidate, message] of [
    ['nginx@1.26', 'caddy', /candidate caddy is server caddy; builds differ more/],
    ['nginx@1.26', 'chromium', /two browsers or two servers, not nginx@1\.26 and chromium/],
    ['nginx@1.x', 'nginx@1.30', /"nginx@1\.x" names no version of nginx/],
  ] as const)
    await assert.rejects(refused(baseline, candidate), (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'usage');
      assert.match(error.message, message);
      return true;
    });
  const forced = await findSubjects({ baseline: 'nginx@1.26', candidate: 'caddy', force: true }, setup);
  assert.match(forced.warnings[0] ?? '', /builds differ more than releases do/);
});
