import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RealLink } from '../../src/core/model/environment.ts';
import { projectDir } from '../support/cli.ts';

const port = 8443;
const token = 'ab'.repeat(16);

/** Why there can be no namespaces here; null where there can. */
function namespacesLack(): string | null {
  if (process.getuid?.() !== 0) return 'network namespaces take root';
  const { status, error } = spawnSync('ip', ['netns', 'list']);
  return status === 0 ? null : `no ip netns here: ${error?.message ?? `exit code ${status}`}`;
}

const ip = (...words: readonly string[]): void => void execFileSync('ip', [...words], { stdio: 'pipe' });

/** A client and a server in namespaces of their own, with a third between them that forwards. This machine’s own network stays as it is. */
function routedRow(t: TestContext): { readonly client: string; readonly server: string } {
  const [client, router, server] = ['client', 'router', 'server'].map((part) => `h2h3${part}${process.pid}`);
  assert.ok(client !== undefined && router !== undefined && server !== undefined);
  for (const name of [client, router, server]) {
    ip('netns', 'add', name);
    t.after(() => spawnSync('ip', ['netns', 'del', name]));
  }
  for (const [number, end] of [client, server].entries()) {
    ip('-n', end, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', `eth${number}`, 'netns', router);
    for (const [name, device, host] of [
      [end, 'eth0', 2],
      [router, `eth${number}`, 1],
    ] as const) {
      ip('-n', name, 'address', 'add', `10.79.${number}.${host}/24`, 'dev', device);
      ip('-n', name, 'link', 'set', device, 'up');
    }
    ip('-n', end, 'route', 'add', 'default', 'via', `10.79.${number}.1`);
  }
  ip('netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
  return { client, server };
}

/** A program of a few lines that imports one of the modules that measure the link. */
const programWith = (module: string, lines: string): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
  '-e',
  `const link = await import('${pathToFileURL(join(projectDir, 'harness/hosts', module)).href}');
   const options = { address: '10.79.1.2', port: ${port}, token: '${token}' };
   ${lines}`,
];

test(
  'a router between both machines is found by the TTL with which packets arrive',
  { skip: namespacesLack() ?? false },
  async (t) => {
    const { client, server } = routedRow(t);
    const listens = programWith(
      'link-listener.ts',
      "await link.listenForMeasurement(options); console.log('listening');",
    );
    const listener = spawn('ip', ['netns', 'exec', server, ...listens], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => listener.kill('SIGKILL'));
    await once(listener.stdout, 'data');
    const measures = programWith(
      'link-measurement.ts',
      'console.log(JSON.stringify(await link.measureLink(options)));',
    );
    const said = execFileSync('ip', ['netns', 'exec', client, ...measures], { encoding: 'utf8' });
    const { routers, upMbps, udp } = JSON.parse(said) as RealLink;
    assert.equal(routers, 1, said);
    assert.ok(upMbps > 1 && (udp?.up.mbps ?? 0) > 1, said);
  },
);
