import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Server } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { choosePort } from '../../../../src/core/system/free-port.ts';

const chooser = `
import { choosePort } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/core/system/free-port.ts'))};
process.stdout.write(String(await choosePort(undefined)));
setInterval(() => {}, 1000);
`;

/** The port that a process of its own chose; it keeps it until it is killed. */
async function chosenElsewhere(): Promise<{ readonly port: number; readonly end: () => Promise<void> }> {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', chooser];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { port: Number(chunk.toString()), end };
}

test(
  'runs that begin at once get ports of their own before any server listens, and give them back however they end',
  { skip: process.platform === 'linux' ? false : 'ports are set aside on Linux only' },
  async () => {
    const others = await Promise.all([chosenElsewhere(), chosenElsewhere(), chosenElsewhere()]);
    const ports = others.map(({ port }) => port);
    assert.equal(new Set(ports).size, 3, ports.join());
    const [first = 0] = ports;
    await assert.rejects(choosePort(first), { code: 'usage', message: /is in use/ });
    await Promise.all(others.map(({ end }) => end()));
    assert.equal(await choosePort(first), first);
    assert.equal(await choosePort(first), first, 'the same process may ask again');
  },
);

test(
  'nobody listens, not even for a moment, at a port that another has set aside: its server may be about to start',
  { skip: process.platform === 'linux' ? false : 'ports are set aside on Linux only' },
  async (t) => {
    const other = await chosenElsewhere();
    t.after(other.end);
    const listen = t.mock.method(Server.prototype, 'listen');
    const own = await choosePort(undefined);
    const listenedAt = listen.mock.calls.map(({ arguments: [where] }) => {
      const { port } = Object(where) as { readonly port?: unknown };
      return port;
    });
    assert.notEqual(own, other.port);
    assert.ok(listenedAt.includes(own));
    assert.ok(!listenedAt.includes(other.port), listenedAt.join());
  },
);
