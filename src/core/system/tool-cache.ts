import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, hasErrno, ifAbsent, messageOf } from '../model/errors.ts';
import { isAbandoned, isLockAttempt, makeLock, removeAbandonedLock, requireIsLock } from './lock-file.ts';
import { removeWithProcess } from './processes/process-guard.ts';
import { isAlive, processIdentity } from './processes/process-identity.ts';
import { makeFolder } from './storage-error.ts';

/** Long enough for another run that builds Caddy from source on a slow machine. */
const lockTimeoutMs = 15 * 60_000;
const lockPollMs = 200;

/** Folder for downloaded, built and unpacked tools; everything in it can be made again. */
export interface ToolCache {
  readonly directory: string;
  /** Where the tool `name` (which carries its version) lies once it is installed. */
  directoryOf(name: string): string;
  isInstalled(name: string): Promise<boolean>;
  /**
   * Folder of the tool `name`. When it is absent `fill` makes it in a folder of its own, which takes its name
   * only when `fill` has returned: what was interrupted never counts as installed. Another run that
   * installs the same tool is waited for (`onWait` is called once). @throws what `fill` throws.
   */
  install(name: string, fill: (directory: string) => Promise<void>, onWait?: () => void): Promise<string>;
}

export interface CachePlace {
  readonly projectDir: string;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The user's cache folder by the platform's custom (XDG Base Directory on Linux). */
export function userCacheDir(place: Omit<CachePlace, 'projectDir'>): string {
  const { environment, homeDir, platform } = place;
  if (platform === 'darwin') return path.join(homeDir, 'Library', 'Caches', 'h2h3');
  if (platform === 'win32')
    return path.join(environment['LOCALAPPDATA'] ?? path.join(homeDir, 'AppData', 'Local'), 'h2h3');
  return path.join(environment['XDG_CACHE_HOME'] || path.join(homeDir, '.cache'), 'h2h3');
}

/**
 * `.h2h3/` of a checkout where it can be written, else the user's cache folder: what lies in an installed package goes
 * with its next version.
 *
 * @throws H2h3Error `storage`
 */
export async function chooseCacheDir(place: CachePlace): Promise<string> {
  const installed = place.projectDir.split(path.sep).includes('node_modules');
  const candidates = [...(installed ? [] : [path.join(place.projectDir, '.h2h3')]), userCacheDir(place)];
  const reasons: string[] = [];
  for (const candidate of candidates) {
    try {
      makeFolder(candidate);
      await access(candidate, constants.W_OK);
      return candidate;
    } catch (cause) {
      reasons.push(messageOf(cause));
    }
  }
  throw new H2h3Error('storage', 'No folder for tools and caches can be written', {
    context: { tried: candidates.join(', '), got: reasons.join('; ') },
    next: 'Make one of these folders writable, or set XDG_CACHE_HOME to a folder that is.',
  });
}

export function openToolCache(directory: string): ToolCache {
  const toolsDir = path.join(directory, 'tools');
  const directoryOf = (name: string): string => path.join(toolsDir, name);
  const isInstalled = (name: string): Promise<boolean> => exists(directoryOf(name));
  return {
    directory,
    directoryOf,
    isInstalled,
    async install(name, fill, onWait) {
      const target = directoryOf(name);
      if (await isInstalled(name)) return target;
      makeFolder(toolsDir);
      const release = await takeLock(path.join(toolsDir, `${name}.lock`), onWait);
      try {
        if (!(await isInstalled(name))) await fillAndRename(toolsDir, name, fill);
        return target;
      } finally {
        await release();
      }
    },
  };
}

async function fillAndRename(
  toolsDir: string,
  name: string,
  fill: (directory: string) => Promise<void>,
): Promise<void> {
  await removePartials(toolsDir, name);
  const partial = path.join(toolsDir, `${name}.partial-${process.pid}-${randomBytes(4).toString('hex')}`);
  removeWithProcess(partial);
  await mkdir(partial);
  try {
    await fill(partial);
    await rename(partial, path.join(toolsDir, name));
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Two runs fill it where the user removed a lock that was in use; the first to rename has installed the tool.
    if (!(hasErrno(error, 'ENOTEMPTY') || hasErrno(error, 'EEXIST'))) throw error;
  }
}

/** Removes what interrupted set-ups of this tool left; the caller holds the lock, so none of it is in use. */
async function removePartials(toolsDir: string, name: string): Promise<void> {
  const identity = processIdentity(process.pid);
  for (const entry of await readdir(toolsDir)) {
    const file = path.join(toolsDir, entry);
    if (isLockAttempt(entry, `${name}.lock`) && isAbandoned(file)) removeAbandonedLock(file, identity);
    const pid = new RegExp(`^${RegExp.escape(name)}\\.partial-(\\d+)-`).exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(file, { recursive: true, force: true });
  }
}

/** Takes a lock file that names our process; one whose process is gone is broken. */
async function takeLock(file: string, onWait?: () => void): Promise<() => Promise<void>> {
  const deadline = performance.now() + lockTimeoutMs;
  const identity = processIdentity(process.pid);
  for (let attempt = 0; performance.now() < deadline; attempt++) {
    if (makeLock(file, identity)) return () => rm(file, { force: true });
    // A process that was killed is not waited for.
    if (isAbandoned(file)) {
      removeAbandonedLock(file, identity);
      continue;
    }
    requireIsLock(file);
    if (attempt === 0) onWait?.();
    await sleep(lockPollMs);
  }
  throw new H2h3Error('deadline', `Another run has been setting up for ${lockTimeoutMs / 60_000} minutes`, {
    context: { file },
    next: 'If no other run is under way, remove that file and try again.',
  });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(() => true, ifAbsent(false));
}
