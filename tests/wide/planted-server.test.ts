import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a server that answers over a slower path fails the gate', async (t) => {
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const both = ['--baseline', 'caddy', '--candidate', 'caddy', '--protocols', 'h3'];
  // Six looks can decide; two more, because a busy machine may lose a trial to a path that did not keep up.
  const words = ['--workload', 'download-1mb', '--network', 'cable', '--interims', '8'];
  const fault = ['--inject', 'candidate:rate=-40%'];
  const out = join(tempFolder(t), 'worse');
  const { code, stdout, stderr } = await runCli([
    'gate',
    ...both,
    ...words,
    ...fault,
    '--force',
    '--out',
    out,
  ]);
  const said = stdout + stderr;
  const refused = pathRefused(said);
  if (refused !== null) return t.skip(refused);
  assert.equal(code, 1, said);
  assert.match(
    said.replace(/\s+/g, ' '),
    /fault injected on purpose into h3\+server=caddy#candidate: rate=-40%/,
  );
});
