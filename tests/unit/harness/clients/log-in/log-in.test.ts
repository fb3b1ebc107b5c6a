import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logIn } from '../../../../../harness/clients/log-in/log-in.ts';
import type { LogInOrder } from '../../../../../harness/clients/log-in/log-in-script.ts';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

/** No browser starts for a script that does not even load. */
const launch = {} as LogInOrder['launch'];

test('a script that does not load, is no function, ends its process or never ends is named, and none is left', async (t) => {
  const folder = tempFolder(t);
  const refused = async (script: string, limitMs = 60_000): Promise<string> => {
    const scriptFile = join(folder, `log-in-${Math.abs(script.length)}.mjs`);
    writeFileSync(scriptFile, script);
    const order = { scriptFile, url: 'https://a.example/', launch };
    const begun = performance.now();
    const failure = await logIn(order, {
      environment: {},
      limitMs,
      signal: new AbortController().signal,
    }).then(
      () => assert.fail('it was taken'),
      (thrown: unknown) => thrown,
    );
    assert.ok(failure instanceof H2h3Error && failure.code === 'bad-input', String(failure));
    assert.ok(performance.now() - begun < 60_000);
    return failure.message;
  };
  assert.match(await refused('throw new Error("not today")'), /failed: not today$/);
  assert.match(await refused('export const a = 1;'), /its default export is no function/);
  assert.match(await refused('process.exit(0)'), /ended the process that it ran in$/);
  assert.match(await refused('for (;;) {}', 1500), /did not end within 1\.5 s$/);
  assert.match(await refused('await new Promise(() => {});//', 1500), /did not end within|ended the process/);
});
