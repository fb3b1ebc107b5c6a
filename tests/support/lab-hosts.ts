import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../../src/core/system/run-program.ts';
import { projectDir, startProgram, type RunningCli } from './cli.ts';
import { namespaceLack } from './namespaces.ts';
import { markedEnvironment } from './test-scope.ts';

/** What a test takes for one machine of several: a network namespace and a working directory of its own. */
export interface LabHost {
  readonly name: string;
  /** Where the root namespace is reached from it. */
  readonly gateway: string;
  /** Its working directory. */
  readonly path: string;
  /** Starts `h2h3` there, as the leader of a process group. */
  start(args: readonly string[], environment?: Readonly<Record<string, string>>): RunningCli;
}

/**
 * Hosts that reach this namespace by a link each and one another not at all. Without the rights to make namespaces they share the
 * one of the test. They are gone when the test is.
 */
export async function openLabHosts(
  t: Pick<TestContext, 'after'>,
  folder: string,
  names: readonly string[],
): Promise<LabHost[]> {
  const apart = (await namespaceLack()) === null && process.getuid?.() === 0;
  // Links of several tests at a time need addresses of their own: 10.128.0.0/9 has room for 32 767 pairs of links.
  const first = (process.pid * names.length) % 32_000;
  return Promise.all(
    names.map(async (name, index) => {
      const path = join(folder, name);
      mkdirSync(path);
      const { prefix, gateway } = apart
        ? await openNamespace(t, first + index)
        : { prefix: [], gateway: '127.0.0.1' };
      const program = [...prefix, process.execPath, join(projectDir, 'src/cli/launcher.js')];
      const start: LabHost['start'] = (args, environment = {}) =>
        startProgram([...program, ...args], environment, { cwd: path, detached: true });
      return { name, gateway, path, start };
    }),
  );
}

interface HostNamespace {
  /** Words that start a command in it. */
  readonly prefix: readonly string[];
  readonly gateway: string;
}

/** A namespace lives as long as the process that holds it, and the link as long as the namespace. */
async function openNamespace(t: Pick<TestContext, 'after'>, index: number): Promise<HostNamespace> {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], {
    stdio: 'ignore',
    env: markedEnvironment(),
  });
  await once(holder, 'spawn');
  t.after(() => void holder.kill('SIGKILL'));
  const namespace = `/proc/${holder.pid}/ns/net`;
  while (readlinkSync(namespace) === readlinkSync('/proc/self/ns/net')) await sleep(10);
  const pair = (part: number): string => {
    const number = index * 4 + part;
    return `10.${128 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
  };
  const device = `h2h3t${index}`;
  const prefix = ['nsenter', `--net=${namespace}`];
  const commands = [
    `ip link add ${device} type veth peer name lab netns ${holder.pid}`,
    `ip address add ${pair(1)}/30 dev ${device}`,
    `ip link set ${device} up`,
    `${prefix.join(' ')} ip address add ${pair(2)}/30 dev lab`,
    `${prefix.join(' ')} ip link set lab up`,
    `${prefix.join(' ')} ip link set lo up`,
  ];
  for (const command of commands) {
    const [program = '', ...args] = command.split(' ');
    const { exitCode, stderr } = await runProgram(program, args, { timeoutMs: 60_000 });
    if (exitCode !== 0) throw new Error(`${command}: ${stderr}`);
  }
  return { prefix, gateway: pair(1) };
}
