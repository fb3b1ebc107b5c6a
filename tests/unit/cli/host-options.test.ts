import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostsOf } from '../../../src/cli/host-options.ts';
import { runCliHere } from '../../support/cli.ts';

test('every command that makes runs takes the machines of servers and of clients, and doctor looks at both', async () => {
  const commands = ['run', 'plan', 'gate', 'nightly', 'calibrate', 'studies', 'bench-harness', 'doctor'];
  for (const command of commands) {
    const { stdout } = await runCliHere([command, '--help', '--all']);
    for (const option of ['--server-host <', '--client-host <'])
      assert.ok(stdout.includes(option), `${command}: ${option}`);
  }
});

test('what is not said of a machine overrides nothing', () => {
  assert.deepEqual(hostsOf({}), {});
  assert.deepEqual(hostsOf({ serverHost: 'a', clientHost: 'b' }), { serverHost: 'a', clientHost: 'b' });
});
