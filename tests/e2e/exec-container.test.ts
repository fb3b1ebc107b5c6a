import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exitCodes } from '../../src/core/model/exit-codes.ts';
import { connectScript, execWords, readReport, startSite, unchecked } from '../exec/exec-cases.ts';
import { startProgram } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { ordinaryUser } from '../support/ordinary-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What Docker leaves a container by default, and the two that are added for networks (docs/h2h3-link.md). */
const capabilities = [
  'chown',
  'dac_override',
  'fowner',
  'fsetid',
  'kill',
  'setgid',
  'setuid',
  'setpcap',
  'net_bind_service',
  'net_raw',
  'sys_chroot',
  'mknod',
  'audit_write',
  'setfcap',
  'net_admin',
  'sys_admin',
];

/** Words before a program that is to see what it would in such a container: its rights, and settings of the kernel to read alone. */
const inContainer = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec "$@"',
  'sh',
  'setpriv',
  `--bounding-set=-all,${capabilities.map((name) => `+${name}`).join(',')}`,
  '--',
];

/** Why none can be made; null where one can. */
async function containerLack(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root can take rights away as a container does';
  const [program = '', ...words] = inContainer;
  const { status, stderr } = spawnSync(
    program,
    [...words, 'test', '!', '-w', '/proc/sys/net/ipv4/ip_forward'],
    {
      encoding: 'utf8',
    },
  );
  return status === 0 ? namespaceLack() : `no container can be had as if: ${stderr}`;
}

const commandAcross = (port: number): string[] => [
  ...unchecked('cable'),
  '--no-outside',
  '--local',
  String(port),
];
const connects = (port: number): string[] => ['--', process.execPath, '-e', connectScript(port)];

test('in a container with the rights of Docker and two more, whose settings of the kernel are read-only, root is behind a network', async (t: TestContext) => {
  const lacking = await containerLack();
  if (lacking !== null) return t.skip(lacking);
  const port = await startSite(t);
  const cwd = tempFolder(t);
  const json = join(cwd, 'report.json');
  const words = [...commandAcross(port), '--set', 'mtu=1400', '--json', json, ...connects(port)];
  const result = await startProgram([...inContainer, ...execWords(null, words)], {}, { cwd }).result;
  assert.equal(result.code, 0, result.stderr);
  const [, waitedMs = 0] = result.stdout.trim().split(' ').map(Number);
  assert.ok(waitedMs > 19, `${waitedMs} ms across a round trip of 20 ms`);
  const [network] = readReport(json).networks;
  assert.deepEqual([network?.privilege, network?.mtuBytes], ['root', 1400]);
  // What is set at its ends is set.
  assert.doesNotMatch((network?.notes ?? []).join('\n'), /the kernel refuses ipv4\/tcp_rmem/);
});

test('in such a container an ordinary user is told why no port can be led across, before the command starts', async (t: TestContext) => {
  const lacking = await containerLack();
  if (lacking !== null) return t.skip(lacking);
  const port = await startSite(t);
  const cwd = tempFolder(t);
  chmodSync(cwd, 0o755);
  const user = ordinaryUser(join(cwd, 'user'));
  if (typeof user === 'string') return t.skip(user);
  const words = [...inContainer, ...execWords(user, [...commandAcross(port), '--', 'echo', 'started'])];
  const refused = await startProgram(words, user.environment, { cwd }).result;
  assert.deepEqual([refused.code, refused.stdout], [exitCodes.unsupported, ''], refused.stderr);
  assert.match(
    refused.stderr,
    /\/proc\/sys is mounted read-only[^]*next: Run as root in the container \(--user 0\), or start it with --security-opt systempaths=unconfined/,
  );
});
