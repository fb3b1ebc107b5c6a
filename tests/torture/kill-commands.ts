import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeArchive } from '../../sites/archive/write-archive.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import { readProcessTable, type ProcessRow } from '../../src/core/system/processes/process-table.ts';
import { startCli, projectDir } from '../support/cli.ts';
import { generateRun } from '../support/generated-run.ts';
import { writeShardRuns } from '../support/shard-runs.ts';
import { startValkey } from '../support/valkey.ts';

/**
 * What is killed at once: the process that the user started, its group, that with the reaper, which has a group of its own, or
 * with the reaper's deputy too: then nobody is left to clear anything but the next command of the user.
 */
export const ways = ['main', 'group', 'group and reaper', 'all that watches'] as const;
export type Way = (typeof ways)[number];

export const commands = ['run', 'shaped run', 'merge', 'worker', 'replay', 'encode', 'setup'] as const;
export type CommandName = (typeof commands)[number];

export interface CommandKillsOptions {
  readonly commands: readonly CommandName[];
  readonly kills: number;
  readonly seed: number;
  /** Folder of everything, which the caller removes. Short: sockets lie below it. */
  readonly folder: string;
  /** How long what is left may take to end, ms. Default: 10 s, which is the limit that is promised. */
  readonly goneLimitMs?: number;
  readonly say?: (line: string) => void;
}

export interface CommandKill {
  readonly command: CommandName;
  readonly way: Way;
  /** How long it had run, ms. */
  readonly afterMs: number;
  /** How long it took until nothing was left, ms. */
  readonly goneMs: number;
  /** Everything that was left for too long, in words. */
  readonly faults: readonly string[];
}

/** Longest time from the start to the kill: most of them are at work for longer, and starting is work too. */
const maxWaitMs: Readonly<Record<CommandName, number>> = {
  run: 8_000,
  'shaped run': 12_000,
  merge: 2_000,
  worker: 10_000,
  replay: 4_000,
  encode: 5_000,
  setup: 5_000,
};
const pollMs = 100;

type Prepared = (round: number) => readonly string[];

const download = [
  '--workload',
  'download-1mb',
  '--client',
  'embedded',
  '--exploratory',
  '--repetitions',
  '9',
];

/** Tools of the machine's own cache but those that a command is to make. */
function cacheWithout(folder: string, made: RegExp): string {
  const tools = join(folder, 'cache', 'tools');
  rmSync(join(folder, 'cache'), { recursive: true, force: true });
  mkdirSync(tools, { recursive: true });
  const own = join(projectDir, '.h2h3', 'tools');
  for (const name of existsSync(own) ? readdirSync(own) : [])
    if (!made.test(name) && !/\.lock|\.partial-/.test(name)) symlinkSync(join(own, name), join(tools, name));
  return join(folder, 'cache');
}

/** What each needs before it can begin; returns its words. */
async function prepare(t: Pick<TestContext, 'after'>, name: CommandName, folder: string): Promise<Prepared> {
  const out = (round: number): string => join(folder, `out-${round}`);
  switch (name) {
    case 'run':
      return (round) => ['run', ...download, '--network', 'loopback', '--out', out(round)];
    case 'shaped run':
      return (round) => ['run', ...download, '--network', 'fiber-300', '--out', out(round)];
    case 'merge': {
      const shards = writeShardRuns(folder, generateRun({ blocks: 40 }), { count: 2 });
      return (round) => ['merge', ...shards, '--out', out(round)];
    }
    case 'worker': {
      mkdirSync(join(folder, 'valkey'));
      const { url } = await startValkey(t, join(folder, 'valkey'));
      const place = ['--results', join(folder, 'shared')];
      const many = download.with(-1, '500');
      const run = [
        'run',
        ...many,
        '--no-sequential',
        '--workers',
        url,
        ...place,
        '--out',
        join(folder, 'run'),
      ];
      const coordinator = startCli(run, {}, { detached: true });
      t.after(async () => {
        coordinator.child.kill('SIGINT');
        await coordinator.result;
      });
      return (round) => ['worker', url, ...place, '--host', `host-${round}`];
    }
    case 'replay': {
      const steady = {
        method: 'GET',
        host: 'site.test',
        path: '/',
        query: '',
        range: '',
        waitMs: 0,
        startMs: 0,
      };
      const entry = { ...steady, status: 200, headers: [['content-type', 'text/html'] as [string, string]] };
      const head = { urls: ['https://site.test/'], recordedAt: new Date().toISOString(), recorder: 'test' };
      const archive = join(folder, 'archive');
      await writeArchive(archive, { ...head, complete: true, removed: {} }, [
        { entry, requestBody: null, body: Buffer.from('<title>recorded</title>') },
      ]);
      return () => ['replay', archive];
    }
    case 'encode':
      return () => ['encode', 'streaming-720p', '--seconds', '12'];
    case 'setup':
      return () => ['setup'];
  }
}

/** What a command leaves of itself: by the folder in its environment or its words, and by its own id below `/proc`. */
function processesOf(folder: string, commandPid: number): ProcessRow[] {
  const mark = `H2H3_TORTURE=${folder}\0`;
  return readProcessTable().filter(
    ({ pid, zombie, commandLine }) =>
      !zombie &&
      pid !== process.pid &&
      (commandLine.includes(`${folder}/`) ||
        textOf(`/proc/${pid}/environ`).includes(mark) ||
        textOf(`/proc/${pid}/environ`).includes(`H2H3_RUN_ID=${commandPid}-`)),
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // ended meanwhile
  }
}

/** Half-made things and temporary folders, below the folders that the command was given for them. */
function filesLeft(folder: string): string[] {
  const temporary = readdirSync(join(folder, 'tmp')).map((name) => join('tmp', name));
  const cache = existsSync(join(folder, 'cache'))
    ? readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' })
    : [];
  return [...temporary, ...cache.filter((name) => /^\.|\.partial-/.test(basename(name)))];
}

interface KillTarget {
  readonly folder: string;
  readonly words: readonly string[];
  readonly waitMs: number;
  readonly way: Way;
  readonly goneLimitMs: number;
}

async function killOnce({
  folder,
  words,
  waitMs,
  way,
  goneLimitMs,
}: KillTarget): Promise<Omit<CommandKill, 'command'>> {
  const before = filesLeft(folder);
  // The coordinator of a worker's run has its words in common with it.
  const others = new Set(processesOf(folder, 0).map((row) => row.pid));
  const environment = {
    H2H3_TORTURE: folder,
    TMPDIR: join(folder, 'tmp'),
    H2H3_CACHE: join(folder, 'cache'),
  };
  const cli = startCli(words, environment, { detached: true });
  const pid = cli.child.pid ?? 0;
  let isOver = false;
  const ended = cli.result.then(() => (isOver = true));
  await Promise.race([sleep(waitMs), ended]);
  const watchers = processesOf(folder, pid).filter(({ commandLine }) =>
    (way === 'all that watches' ? /\/(?:reaper|deputy)\.[jt]s / : /\/reaper\.[jt]s /).test(commandLine),
  );
  const killedMs = performance.now();
  const victims =
    way === 'main' ? [pid] : way === 'group' ? [-pid] : [-pid, ...watchers.map((one) => one.pid)];
  for (const victim of victims) if (!isOver || victim !== pid) kill(victim);
  await ended;
  if (way === 'all that watches')
    await startCli(['exec', '--network', 'none', '--', 'true'], environment).result;
  const left = (): string[] => [
    ...processesOf(folder, pid)
      .filter((row) => !others.has(row.pid))
      .map((row) => `${row.pid} ${row.commandLine.slice(0, 120)}`),
    ...filesLeft(folder).filter((name) => !before.includes(name)),
  ];
  let faults = left();
  while (faults.length > 0 && performance.now() - killedMs < goneLimitMs) {
    await sleep(pollMs);
    faults = left();
  }
  return { way, afterMs: waitMs, goneMs: performance.now() - killedMs, faults };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it has ended by itself
  }
}

/** Kills commands at random moments, each in every way in turn, and looks after each at what it left. */
export async function killCommands(
  t: Pick<TestContext, 'after'>,
  { commands: names, kills, seed, folder, goneLimitMs = 10_000, say }: CommandKillsOptions,
): Promise<CommandKill[]> {
  const random = seededRandom(seed);
  const prepared = new Map<CommandName, Prepared>();
  const done: CommandKill[] = [];
  for (let round = 0; round < kills; round++) {
    const command = names[round % names.length] ?? 'run';
    const way = ways[Math.floor(round / names.length) % ways.length] ?? 'main';
    const own = join(folder, command.replaceAll(' ', '-'));
    mkdirSync(join(own, 'tmp'), { recursive: true });
    const words = prepared.get(command) ?? (await prepare(t, command, own));
    prepared.set(command, words);
    cacheWithout(own, command === 'setup' ? /^path-emulator/ : /^none$/);
    const waitMs = random.integer(maxWaitMs[command]);
    const killed = await killOnce({ folder: own, words: words(round), waitMs, way, goneLimitMs });
    done.push({ command, ...killed });
    say?.(
      `${command}, ${way}, after ${waitMs} ms: nothing left after ${Math.round(killed.goneMs)} ms${told(killed)}`,
    );
  }
  return done;
}

const told = ({ faults }: Pick<CommandKill, 'faults'>): string =>
  faults.length === 0 ? '' : `, but for ${faults.join('; ')}`;
