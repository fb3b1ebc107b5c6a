import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { secretsOfScript } from '../../../../harness/clients/secrets-of-script.ts';
import { probesOfSecrets } from '../../../../src/app/preflight/probes-of-secrets.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const reasons = async (flags: PlanFlags): Promise<string[]> => {
  const usual = { url: ['https://a.test/'], repetitions: '1', exploratory: true };
  const { plan } = planFromRequest(readPlanRequest(undefined, { ...usual, ...flags }), 'test');
  return (await probesOfSecrets.judge(plan, {})).map(({ reason }) => reason);
};

test('a probe that keeps requests as they were sent is refused beside whatever opens a page', async (t) => {
  const script = join(tempFolder(t), 'journey.ts');
  const withScript = (text: string): PlanFlags => {
    writeFileSync(script, `export default async ({ page, url, secret }) => { ${text} };`);
    return { script };
  };
  const secrets: Record<string, PlanFlags> = {
    '--header': { header: ['Accept: text/html', 'X-Pass: ${WORD}'] },
    '--cookie': { cookie: ['sid=${SID}'] },
    '--basic-auth': { basicAuth: 'me:${WORD}' },
    '--storage-state': { storageState: 'state.json' },
    '--login': { login: 'log-in.ts' },
  };
  for (const [flag, given] of Object.entries(secrets))
    for (const probe of ['net-log', 'trace', 'firefox-log', 'firefox-profile', 'capture'])
      assert.deepEqual(await reasons({ ...given, probe: [probe] }), [
        `the probe ${probe} would keep the secrets that ${flag} gives to the page`,
      ]);
  const typed = withScript("await page.type('#word', secret('WORD'))");
  assert.match(
    (await reasons({ ...typed, probe: ['net-log', 'trace'] })).join(),
    /the probes net-log, trace would keep the secrets that --script gives/,
  );
});

test('a script that reads its secrets in a module of its own, or not by the word secret, is known for it', async (t) => {
  const folder = tempFolder(t);
  const [script, outer, inner] = ['journey.ts', 'steps.ts', 'log-in.ts'].map((name) => join(folder, name));
  assert.ok(script !== undefined && outer !== undefined && inner !== undefined);
  writeFileSync(script, "import { open } from './steps.ts';\nexport default open;");
  writeFileSync(outer, "export const open = async (all) => (await import('./log-in.ts')).logIn(all);");
  const judged = (text: string): Promise<string[]> => {
    writeFileSync(inner, `import * as again from './steps.ts';\nimport './none.ts';\n${text}`);
    return reasons({ script, probe: ['net-log'] });
  };
  assert.deepEqual(await judged('export const logIn = ({ page, url }) => page.goto(url);'), []);
  for (const text of ['process.env.PIN', "process['env'].PIN", "import { env } from 'node:process'"])
    assert.deepEqual(
      await judged(text),
      ['the probe net-log would keep the secrets that --script gives to the page'],
      text,
    );
  await judged('process.env.PIN');
  assert.deepEqual(secretsOfScript(script, { PIN: 'pin-4471', OTHER: 'pin-4472' }), ['pin-4471']);
});

test('without secrets every probe is taken, and beside secrets the others are', async () => {
  assert.deepEqual(await reasons({ probe: ['net-log', 'trace', 'capture'] }), []);
  assert.deepEqual(await reasons({ header: ['Accept-Language: de'], probe: ['net-log'] }), []);
  assert.deepEqual(await reasons({ cookie: ['sid=${SID}'], probe: ['packets', 'profile', 'transport'] }), []);
});
