/** What tests and `npm run verify:exec` have in common: commands behind paths, and what is left of them. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { execReportSchema, type ExecReport } from '../../src/core/model/exec-report.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { projectDir, startProgram, type CliResult } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { ordinaryUser, type OrdinaryUser } from '../support/ordinary-user.ts';
import { startLimitMs, waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** `h2h3 exec` with these words, as this user; null: as the user of the test. */
export function execWords(user: OrdinaryUser | null, words: readonly string[]): readonly string[] {
  return [
    ...(user?.prefix ?? []),
    process.execPath,
    join(projectDir, 'src/cli/launcher.js'),
    'exec',
    ...words,
  ];
}

export function runExec(
  user: OrdinaryUser | null,
  words: readonly string[],
  cwd: string,
): Promise<CliResult> {
  return startProgram(execWords(user, words), user?.environment ?? {}, { cwd }).result;
}

export function readReport(file: string): ExecReport {
  return execReportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/*
 * As an ordinary user, also where root runs the tests: what root can do more changes the machine's interfaces, which is
 * tested alone (tests/alone/exec-world.test.ts).
 */
export interface ExecWorld {
  readonly folder: string;
  readonly user: OrdinaryUser;
}

/** Null where the test has been skipped. */
export async function execWorld(t: TestContext): Promise<ExecWorld | null> {
  const lacking = await namespaceLack();
  if (lacking !== null) {
    t.skip(lacking);
    return null;
  }
  const folder = tempFolder(t);
  chmodSync(folder, 0o777);
  const user = ordinaryUser(join(folder, 'user'));
  if (typeof user !== 'string') return { folder, user };
  t.skip(user);
  return null;
}

export const unchecked = (network: string): string[] => ['--no-check', '--network', network];

/** A site on this machine's loopback: `/N` has N bytes. @returns its port */
export async function startSite(t: Pick<TestContext, 'after'>): Promise<number> {
  const server = createServer((request, response) => {
    const bytes = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': bytes });
    response.end(Buffer.alloc(bytes, 'a'));
  });
  server.listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

/** A program of Node that connects to `localhost:PORT`, and says its user and how long that took, ms. */
export const connectScript = (port: number): string =>
  `const began = performance.now();
const socket = require('net').connect(${port}, 'localhost', () => {
  console.log(process.getuid(), performance.now() - began);
  socket.destroy();
});`;

/** Interfaces, routes and settings of this machine, which other runs change too. */
function machineState(): Set<string> {
  const interfaces = readdirSync('/sys/class/net').map((name) => `interface ${name}`);
  const tables = ['route', 'fib_trie'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n'),
  );
  const rules = spawnSync('ip', ['rule', 'list'], { encoding: 'utf8' }).stdout.split('\n');
  const settings = ['net/ipv4/ip_forward', 'net/core/rmem_max', 'net/core/wmem_max'].map(
    (name) => `${name} ${readFileSync(`/proc/sys/${name}`, 'utf8').trim()}`,
  );
  return new Set([...interfaces, ...tables, ...rules, ...settings]);
}

function namespaceOf(pid: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null; // ended meanwhile
  }
}

/** Network namespaces that a program made for itself and what it started. */
function namespacesBelow(rootPid: number): Set<string> {
  const pids = processTree(readProcessTable(), rootPid).map(({ pid }) => pid);
  const found = new Set(pids.flatMap((pid) => namespaceOf(pid) ?? []));
  found.delete(namespaceOf('self') ?? '');
  return found;
}

/** Command lines of living processes that are in one of these namespaces. */
function processesIn(namespaces: ReadonlySet<string>): string[] {
  return readProcessTable()
    .filter(({ pid, zombie }) => !zombie && namespaces.has(namespaceOf(pid) ?? ''))
    .map(({ commandLine }) => commandLine.slice(0, 120));
}

/** Command lines of living processes that have this text in their environment or their words. */
function processesOf(text: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const [words = '', environment = ''] = ['cmdline', 'environ'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'latin1'),
      );
      return `${words}${environment}`.includes(text) ? [words.replaceAll('\0', ' ').slice(0, 120)] : [];
    } catch {
      return []; // ended meanwhile
    }
  });
}

export interface Kill {
  /** Whether its command was at work. */
  readonly atWork: boolean;
  /** Network namespaces that it had made. */
  readonly namespaces: number;
  readonly goneMs: number;
  /** What was left for too long. */
  readonly faults: readonly string[];
}

interface KillOptions {
  readonly user: OrdinaryUser | null;
  readonly folder: string;
  readonly port: number;
  /** Null: as soon as its command is at work. */
  readonly afterMs: number | null;
  readonly goneLimitMs: number;
  /** Whether interfaces, routes and settings are looked at: nothing else may change them meanwhile. */
  readonly wholeMachine: boolean;
  /** Command line that puts a command behind a network. Default: that of `h2h3 exec`, over cable. */
  readonly behind?: (command: readonly string[]) => readonly string[];
  /** What ends it; `own`: the end of its command, for which is waited. Default: SIGKILL. */
  readonly end?: 'SIGKILL' | 'SIGTERM' | 'own';
  /** Further variables of what is started. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Children in sessions of their own, one of them without a single variable; then until this file is there. */
const leaving = (mark: string, seen: string): string =>
  `env -i setsid sh -c ': ${mark}; sleep 600' & setsid sh -c ': ${mark}; sleep 600' & until [ -e '${seen}' ]; do sleep 0.1; done`;

/**
 * Ends what put a command behind a network, at an instant after its start, and looks at what is left. Its command leaves children in
 * sessions of their own.
 */
export async function killExec(options: KillOptions): Promise<Kill> {
  const { user, folder, port, afterMs, goneLimitMs, wholeMachine, end = 'SIGKILL' } = options;
  const mark = `exec-kill-${process.pid}-${Math.round(performance.now())}`;
  const temporary = user?.environment['TMPDIR'] ?? join(folder, 'tmp');
  if (!existsSync(temporary)) mkdirSync(temporary);
  const usual = ['--no-check', '--network', 'cable', '--local', String(port), '--'];
  const { behind = (command) => execWords(user, [...usual, ...command]) } = options;
  // It ends by itself once it was seen, however late this process looks.
  const seen = join(folder, `${mark}-seen`);
  const words = behind(['sh', '-c', leaving(mark, seen)]);
  const environment = {
    ...(user?.environment ?? {}),
    ...options.environment,
    TMPDIR: temporary,
    H2H3_KILL_MARK: mark,
  };
  const before = machineState();
  // What another program left there, such as the cache of Playwright, is not ours.
  const filesBefore = new Set(readdirSync(temporary));
  const cli = startProgram(words, environment, { cwd: folder, detached: true });
  const isAtWork = (): boolean => processesOf(mark).some((words) => words.startsWith('sleep'));
  if (end === 'own' || afterMs === null)
    await waitUntil('the command is at work', startLimitMs, () => isAtWork() || cli.child.exitCode !== null);
  else await sleep(afterMs);
  const atWork = isAtWork();
  const namespaces = namespacesBelow(cli.child.pid ?? 0);
  if (end === 'own') {
    writeFileSync(seen, '');
    await cli.result;
  } else cli.child.kill(end);
  const endedMs = performance.now();
  const left = (): string[] => [
    ...processesOf(mark),
    ...readdirSync(temporary).filter((name) => !filesBefore.has(name)),
    ...processesIn(namespaces),
    ...(wholeMachine ? [...machineState()].filter((item) => !before.has(item)) : []),
  ];
  let faults = left();
  while (faults.length > 0 && performance.now() - endedMs < goneLimitMs) {
    await sleep(100);
    faults = left();
  }
  cli.child.stdout?.destroy();
  cli.child.stderr?.destroy();
  rmSync(seen, { force: true });
  return { atWork, namespaces: namespaces.size, goneMs: performance.now() - endedMs, faults };
}

/** A program of Node that puts a command behind a network by the library h2h3-link, for as long as that runs. */
const libraryOwner = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startLink } from 'h2h3-link';
const [port, program, ...words] = process.argv.slice(2);
const link = await startLink({ network: 'cable', local: [Number(port)] });
await once(spawn(await link.wrap(program), words, { stdio: 'ignore' }), 'exit');
await link.stop();
`;

/** An h2h3-link that was unpacked into `node_modules` of a folder. */
export interface UnpackedLink {
  readonly folder: string;
  /** The Node that starts it. */
  readonly node: string;
  readonly user: OrdinaryUser | null;
  readonly port: number;
}

/** How networks of h2h3-link are started and ended: by the command and by the library, from outside and by themselves. */
const linkEnds = [
  ['command', 'SIGKILL'],
  ['library', 'SIGKILL'],
  ['command', 'SIGTERM'],
  ['library', 'SIGTERM'],
  ['command', 'own'],
  ['library', 'own'],
] as const;

/** What is left of a network of h2h3-link. */
export interface LinkEnd extends Kill {
  /** How it was started and ended. */
  readonly what: string;
}

/**
 * Starts and ends so many networks, one after the other.
 *
 * @param spreadMs those that are ended from outside are ended at instants that this time is divided into; null: as soon as their
 *   command is at work
 * @param ended is told of each
 */
export async function startAndEndLinks(
  link: UnpackedLink,
  count: number,
  {
    spreadMs,
    goneLimitMs,
    wholeMachine,
  }: { readonly spreadMs: number | null } & Pick<KillOptions, 'goneLimitMs' | 'wholeMachine'>,
  ended: (end: LinkEnd) => void,
): Promise<void> {
  const { folder, node, user, port } = link;
  const owner = join(folder, 'owner.mjs');
  writeFileSync(owner, libraryOwner);
  const cache = join(folder, 'cache');
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  const command = [
    join(folder, 'node_modules/h2h3-link/src/cli/launcher.js'),
    'cable',
    '--no-check',
    '--local',
  ];
  for (let index = 0; index < count; index += 1) {
    const [by, end] = linkEnds[index % linkEnds.length] ?? linkEnds[0];
    const start = [...(user?.prefix ?? []), node];
    const afterMs = spreadMs === null ? null : 150 + Math.round((index / count) * spreadMs);
    const kill = await killExec({
      user,
      folder,
      port,
      afterMs,
      goneLimitMs,
      wholeMachine,
      end,
      // What it has built in the checkout is not what the package brings.
      environment: { H2H3_CACHE: cache },
      behind: (words) =>
        by === 'command'
          ? [...start, ...command, String(port), '--', ...words]
          : [...start, owner, String(port), ...words],
    });
    const instant = end === 'own' || afterMs === null ? '' : ` after ${afterMs} ms`;
    ended({ ...kill, what: `${by}, ${end === 'own' ? 'its own end' : end}${instant}` });
  }
}
