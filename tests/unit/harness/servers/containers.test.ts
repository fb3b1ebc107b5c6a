import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  endAbandonedContainers,
  engineOf,
  removalOf,
  withRunLabel,
} from '../../../../harness/servers/containers.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a container that a command starts carries its run, and no other command is changed', () => {
  const started = withRunLabel('docker run --rm -p 8443:8443 shop:next', '17-ab');
  assert.match(
    String(started),
    /^docker run --label h2h3\.run=17-ab --label h2h3\.place=\S+-\d+ --rm -p 8443:8443 shop:next$/,
  );
  const words = withRunLabel(['/usr/bin/podman', 'run', '--rm', 'shop'], '17-ab').toString();
  assert.match(words, /^\/usr\/bin\/podman,run,--label,h2h3\.run=17-ab,--label,[^,]+,--rm,shop$/);
  assert.deepEqual(engineOf('sudo -n /opt/podman run shop'), ['sudo', '-n', '/opt/podman']);
  for (const other of ['caddy run --config Caddyfile', 'docker compose up', 'echo docker run x'])
    assert.deepEqual([withRunLabel(other, '17-ab'), engineOf(other)], [other, null]);
});

test('containers of runs that are gone are ended, those of living runs are not', async (t) => {
  const folder = tempFolder(t);
  const engine = join(folder, 'docker');
  const log = join(folder, 'log');
  const gone = spawnSync(process.execPath, [
    '-e',
    'process.stdout.write(String(process.pid))',
  ]).stdout.toString();
  // `ps` names two containers; `inspect` the run of each.
  writeFileSync(
    engine,
    `#!/bin/sh
echo "$@" >> '${log}'
case "$1 $4" in
  ps*) echo left; echo mine;;
  'inspect left') echo ${gone}-ab;;
  'inspect mine') echo ${process.pid}-cd;;
esac
`,
  );
  chmodSync(engine, 0o755);
  await endAbandonedContainers([engine]);
  const asked = readFileSync(log, 'utf8').trim().split('\n');
  assert.match(asked[0] ?? '', /^ps -aq --filter label=h2h3\.run --filter label=h2h3\.place=/);
  assert.deepEqual(
    asked.filter((line) => /^(kill|rm)/.test(line)),
    ['kill left', 'rm -f left'],
  );

  const [shell = '', ...args] = removalOf([engine], '17-ab');
  writeFileSync(log, '');
  assert.equal(spawnSync(shell, args).status, 0);
  assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n'), [
    'ps -aq --filter label=h2h3.run=17-ab',
    'kill left',
    'rm -f left',
    'kill mine',
    'rm -f mine',
  ]);
});
