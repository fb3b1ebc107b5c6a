import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { endEarlier } from '../../../../harness/hosts/far-earlier.ts';
import { runMarkerVariable } from '../../../../src/core/system/processes/marked-processes.ts';
import { markedEnvironment } from '../../../support/test-scope.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';
const idle = 'setInterval(() => undefined, 1000); console.log(1)';

/** A Node that does nothing, with a last word on its command line. */
async function idler(word: string, more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--eval', idle, word], {
    env: { ...markedEnvironment(), ...more },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return { child, pid: child.pid ?? 0, exit: once(child, 'exit') };
}

test(
  'an earlier agent is ended with what it started, also where it hangs, and no other process',
  { skip },
  async () => {
    const agent = await idler('far-agent.ts');
    const runId = `${agent.pid}-${'ab'.repeat(8)}`;
    const started = await idler('caddy', { [runMarkerVariable]: runId });
    const other = await idler('else');
    process.kill(agent.pid, 'SIGSTOP');
    await endEarlier(runId);
    await Promise.all([agent.exit, started.exit]);
    assert.deepEqual([agent.child.signalCode, started.child.signalCode], ['SIGKILL', 'SIGKILL']);
    // The number in a run's id may mean another process by now.
    await endEarlier(`${other.pid}-${'ab'.repeat(8)}`);
    assert.equal(other.child.signalCode, null);
    other.child.kill('SIGKILL');
    await other.exit;
  },
);
