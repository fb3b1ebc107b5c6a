import { mkdir, readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { runProgram, tailOf } from '../../src/core/system/run-program.ts';
import type { SenderSettings } from './sender-settings.ts';
import type { ServerStartOptions } from './server.ts';

const patienceMs = 10_000;
/** TMPFS_MAGIC of <linux/magic.h>. */
const tmpfsMagic = 0x01021994;

/**
 * Puts copies of folders into a file system in memory and lays them over the folders, seen by what it becomes alone: they
 * are gone with that, however it ends.
 */
const script = [
  'set -e',
  'memory=$1; count=$2; shift 2',
  'mount -t tmpfs h2h3-files "$memory"',
  'while [ "$count" -gt 0 ]; do',
  '  mkdir "$memory/$count"; cp -a "$1/." "$memory/$count"; mount --bind "$memory/$count" "$1"',
  '  count=$((count - 1)); shift',
  'done',
  'exec "$@"',
].join('\n');

/** Folders whose files a server hands out; recorded sites answer from their archive and have none. */
const foldersOf = ({ roots }: ServerStartOptions): string[] => [
  ...new Set(roots.filter(({ origin }) => origin === undefined).map(({ directory }) => directory)),
];

/**
 * Argument prefix of whatever hands out the files, so that they lie where the options want them.
 *
 * @throws H2h3Error `unsupported` with the reason where they cannot
 */
export async function storagePrefix(options: ServerStartOptions): Promise<readonly string[]> {
  const { storage } = options.settings ?? {};
  if (storage === undefined) return [];
  const folders = foldersOf(options);
  if (folders.length === 0)
    throw new H2h3Error('unsupported', `storage=${storage}: a recorded site has no files of its own`);
  if (storage === 'disk') return requireDisk(folders);
  const unshare = ['unshare', '--mount', '--propagation', 'private'];
  const [program = '', ...words] = [
    ...options.launchPrefix,
    ...unshare,
    'mount',
    '-t',
    'tmpfs',
    'h2h3',
    '/mnt',
  ];
  const trial = await runProgram(program, words, { timeoutMs: patienceMs, environment: options.environment });
  if (trial.exitCode !== 0)
    throw new H2h3Error(
      'unsupported',
      `storage=tmpfs: no file system in memory can be made: ${tailOf(trial.stderr, 1)}`,
      {
        next: 'Run it as root.',
      },
    );
  const memory = path.join(options.workDir, 'memory');
  await mkdir(memory, { recursive: true });
  return [...unshare, 'sh', '-c', script, 'sh', memory, String(folders.length), ...folders];
}

async function requireDisk(folders: readonly string[]): Promise<readonly string[]> {
  for (const folder of folders)
    if ((await statfs(folder)).type === tmpfsMagic)
      throw new H2h3Error('unsupported', `storage=disk: ${folder} lies in memory (tmpfs)`);
  return [];
}

/** Folders that a process sees in a tmpfs of their own (proc_pid_mountinfo(5)). */
export function mountedInMemory(mountinfo: string): string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const place = before.split(' ')[4] ?? '';
    const plain = place.replace(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return after.startsWith('tmpfs ') ? [plain] : [];
  });
}

/**
 * Where the files of a process really lie; undefined where nothing was wanted.
 *
 * @throws H2h3Error `unsupported` where it is on another file system than wanted
 */
export async function storageOf(
  pid: number,
  options: ServerStartOptions,
): Promise<SenderSettings['storage']> {
  const { storage } = options.settings ?? {};
  if (storage === undefined) return undefined;
  const inMemory = new Set(mountedInMemory(await readFile(`/proc/${pid}/mountinfo`, 'utf8')));
  const misplaced = foldersOf(options).filter((folder) => inMemory.has(folder) !== (storage === 'tmpfs'));
  if (misplaced.length === 0) return storage;
  throw new H2h3Error('unsupported', `storage=${storage}: ${misplaced.join(', ')} on another file system`);
}
