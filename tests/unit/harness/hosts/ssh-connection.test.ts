import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { openSsh } from '../../../../harness/hosts/ssh-connection.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { standInSsh } from '../../../support/stand-in-ssh.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly next: string | undefined;
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const thrown: unknown = await work.then(
    () => assert.fail('it connected'),
    (cause: unknown) => cause,
  );
  assert.ok(thrown instanceof H2h3Error, String(thrown));
  const { code, message, next } = thrown;
  return { code, message, next };
}

/** What OpenSSH 9.2 says, and what becomes of it. */
const failures: readonly (readonly [said: string, reason: RegExp, next: RegExp])[] = [
  [
    'Host key verification failed.',
    /its host key is not known here/,
    /`ssh lab@far` shows the key's fingerprint/,
  ],
  [
    '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.',
    /another than the known one/,
    /Find out why/,
  ],
  ['lab@far: Permission denied (publickey).', /takes none of your keys/, /`ssh-copy-id lab@far`/],
  ['ssh: Could not resolve hostname far: Name or service not known', /no host of that name/, /alias of/],
  ['ssh: connect to host far port 22: Connection refused', /no sshd listens there/, /Start it there/],
  ['ssh: connect to host far port 22: No route to host', /it cannot be reached/, /Check the address/],
  ['ssh: connect to host far port 22: Connection timed out', /it cannot be reached/, /Check the address/],
  [
    'something new\u001b[31m of ssh',
    /cannot be used: something new\\u001b\[31m of ssh/,
    /without a password/,
  ],
];

test('each way in which ssh fails is one sentence with the next step', async (t) => {
  for (const [said, reason, next] of failures) {
    const folder = tempFolder(t);
    const { environment } = standInSsh(folder, said);
    const refusal = await refusalOf(openSsh({ host: 'lab@far', folder, environment }));
    assert.equal(refusal.code, 'unsupported', said);
    assert.match(refusal.message, reason);
    assert.match(refusal.next ?? '', next);
  }
});

test('without an ssh, and for what ssh would take for an option, it says so', async (t) => {
  const folder = tempFolder(t);
  const without = await refusalOf(openSsh({ host: 'far', folder, environment: { PATH: folder } }));
  assert.match(without.message, /there is no ssh here/);
  for (const host of ['-oProxyCommand=touch x', 'a b', 'far;reboot', '', '$(reboot)']) {
    const refusal = await refusalOf(openSsh({ host, folder, environment: {} }));
    assert.equal(refusal.code, 'usage', host);
  }
});

test('a script runs there over the one connection, and none after that is closed', async (t) => {
  const folder = tempFolder(t);
  const { environment, home } = standInSsh(folder);
  const connection = await openSsh({ host: 'ssh://lab@far:2222', folder, environment });
  const result = await connection.run(`echo "it's $HOME"; cat; exit 3`, 10_000, import.meta.filename);
  assert.equal(result.exitCode, 3);
  assert.ok(result.stdout.startsWith(`it's ${home}\nimport assert`));
  await connection.close();
  const { exitCode, stderr } = await connection.run('echo', 10_000);
  assert.equal(exitCode, 255);
  assert.match(stderr, /Connection closed/);
  assert.ok(!readdirSync(folder).includes('ssh'));
});
