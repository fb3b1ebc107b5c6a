import { execFile } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { H2h3Error, hasErrno, ifAbsent, messageOf } from '../../src/core/model/errors.ts';
import { checkedArchive } from '../../src/core/system/package-archive.ts';
import type { ProgressReporter } from '../../src/core/model/workload.ts';
import { makeWhole } from '../make-whole.ts';
import { packageSpec, type PinnedPackage } from './pinned-package.ts';

/** Downloads `spec` as one `.tgz` into `directory`, which is empty. Rejects with the tool's last words. */
export type PackPackage = (spec: string, directory: string, signal: AbortSignal) => Promise<void>;

export interface FetchPackageOptions {
  /** Packages are kept below `packages/` here. */
  readonly cacheDir: string;
  /** Where npm is started, so that the checkout's own npm configuration applies. */
  readonly projectDir: string;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  /** Default: the user's own npm, so that their registry set-up and npm's cache are used. */
  readonly pack?: PackPackage;
}

/**
 * Folder of the unpacked package, fetched on first use. The tarball is checked against the pinned hash before
 * anything of it is unpacked, and the folder appears under its name only when it is whole.
 *
 * @throws H2h3Error `process-failed` when npm cannot fetch it, `unsupported` without npm, `bad-input` for a wrong hash.
 */
export async function fetchPackage(pinned: PinnedPackage, options: FetchPackageOptions): Promise<string> {
  const parent = join(options.cacheDir, 'packages');
  const target = join(parent, `${packageSpec(pinned).replaceAll(/[@/]+/g, '-').replace(/^-/, '')}`);
  if (await isDirectory(target)) return target;
  const title = `Fetching npm package ${packageSpec(pinned)}`;
  options.progress({ title, fraction: 0 });
  await makeWhole(target, async (scratch) => {
    const pack = options.pack ?? npmPack(options.projectDir);
    await pack(packageSpec(pinned), scratch, options.signal);
    const tarball = await checkedArchive(scratch, packageSpec(pinned), pinned.integrity);
    options.progress({ title, fraction: 0.7, detail: 'unpacking' });
    const unpacked = join(scratch, 'package');
    await mkdir(unpacked);
    await extract({ file: tarball, cwd: unpacked, strip: 1 });
    return unpacked;
  });
  options.progress({ title, fraction: 1 });
  return target;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(ifAbsent(null)))?.isDirectory() ?? false;
}

function npmPack(projectDir: string): PackPackage {
  const run = promisify(execFile);
  return async (spec, directory, signal) => {
    const args = [
      'pack',
      spec,
      '--pack-destination',
      directory,
      '--ignore-scripts',
      '--prefer-offline',
      '--json',
      // `npm run -s` hands its silence on to every npm below it, and the reason of a failure with it.
      '--loglevel=error',
    ];
    try {
      await run('npm', args, { cwd: projectDir, signal, maxBuffer: 64 * 1024 * 1024 });
    } catch (cause) {
      throw npmFailure(spec, cause, signal);
    }
  };
}

function npmFailure(spec: string, cause: unknown, signal: AbortSignal): H2h3Error {
  if (signal.aborted) return new H2h3Error('interrupted', `Fetching ${spec} was interrupted`, { cause });
  if (hasErrno(cause, 'ENOENT')) {
    return new H2h3Error('unsupported', `npm is not on PATH, so ${spec} cannot be fetched`, {
      cause,
      next: 'Install npm, or choose workloads that need none: `--workload download-10mb`.',
    });
  }
  const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : messageOf(cause);
  return new H2h3Error('process-failed', `npm could not fetch ${spec}`, {
    cause,
    context: { stderrTail: stderr.trim().split('\n').slice(-8).join('\n') },
    next: 'Page content comes from the npm registry on first use: connect and run again (what was fetched is kept), or choose replicas or downloads, which need no network.',
  });
}
