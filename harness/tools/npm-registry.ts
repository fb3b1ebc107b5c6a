import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { H2h3Error, ifAbsent, messageOf } from '../../src/core/model/errors.ts';
import { checkedArchive } from '../../src/core/system/package-archive.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from './setup-context.ts';

const askLimitMs = 60_000;
const downloadLimitMs = 30 * 60_000;
const progressIntervalMs = 500;

/** Runs npm with the user's own configuration, so that the registry, proxy and credentials set up there apply. @throws H2h3Error `unsupported` */
export async function npm(
  args: readonly string[],
  timeoutMs: number,
  context: SetupContext,
  cwd = context.projectDir,
): Promise<string> {
  try {
    const { exitCode, stdout, stderr } = await context.run('npm', args, {
      timeoutMs,
      cwd,
      signal: context.signal,
    });
    if (exitCode === 0) return stdout;
    throw new H2h3Error('unsupported', `npm ${args[0] ?? ''} failed`, {
      context: { command: ['npm', ...args].join(' '), stderrTail: tailOf(stderr) },
    });
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'interrupted') throw thrown;
    throw new H2h3Error('unsupported', `The npm registry cannot be asked: ${messageOf(thrown)}`, {
      ...(thrown instanceof H2h3Error ? { context: thrown.context } : {}),
      next: 'Check `npm ping`; versions that are installed already (`npx h2h3 browsers list`) work without it.',
      cause: thrown,
    });
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new H2h3Error('bad-input', `npm's answer about ${what} is no JSON`, {
      context: { got: tailOf(text, 3) },
      cause,
    });
  }
}

/** Every published version of a package. @throws H2h3Error `unsupported` */
export async function publishedVersions(name: string, context: SetupContext): Promise<string[]> {
  const value = parse(await npm(['view', name, 'versions', '--json'], askLimitMs, context), name);
  return [value].flat().filter((version): version is string => typeof version === 'string');
}

/** A version of a package as the registry states it. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  /** Subresource Integrity of its archive. */
  readonly integrity: string;
  /** SPDX identifier; empty where the package states none. */
  readonly licence: string;
}

const factsSchema = z.object({
  name: z.string(),
  version: z.string(),
  'dist.integrity': z.string(),
  /** Old packages have an object here. */
  license: z.unknown(),
});
const archiveSchema = z.object({ integrity: z.string() });

/** The newest version that `spec` (`name`, `name@version`, `name@range`) means. @throws H2h3Error `unsupported` */
export async function packageFacts(spec: string, context: SetupContext): Promise<PackageFacts> {
  const fields = ['name', 'version', 'dist.integrity', 'license'];
  const answer = parse(await npm(['view', spec, ...fields, '--json'], askLimitMs, context), spec);
  // A range has an answer for each version, the newest last.
  const newest = factsSchema.safeParse([answer].flat().at(-1));
  if (newest.success) {
    const { name, version, license: licence, 'dist.integrity': integrity } = newest.data;
    return { name, version, integrity, licence: typeof licence === 'string' ? licence : '' };
  }
  throw new H2h3Error('bad-input', `The registry has no digest of ${spec}`, {
    next: 'Choose another version: an archive that cannot be checked is not used.',
  });
}

export interface FetchedArchive {
  /** The archive, below the folder it was fetched to. */
  readonly file: string;
  /** What the registry says the archive is, and what it was checked against. */
  readonly integrity: string;
}

/**
 * Fetches the archive of a package into `directory` and checks it against the registry's own digest.
 * @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when it is not what the registry says.
 */
export async function fetchArchive(
  name: string,
  version: string,
  directory: string,
  context: SetupContext,
): Promise<FetchedArchive> {
  const spec = `${name}@${version}`;
  const answer = parse(await npm(['view', spec, 'dist', '--json'], askLimitMs, context), `${spec}'s archive`);
  const { integrity } = archiveSchema.safeParse(answer).data ?? {};
  if (integrity === undefined)
    throw new H2h3Error('bad-input', `The registry has no digest of ${spec}`, {
      next: 'Choose another version: an archive that cannot be checked is not used.',
    });
  const cacheDir = path.join(directory, 'npm-cache');
  const download = ['pack', spec, '--pack-destination', directory, '--cache', cacheDir, '--silent'];
  await withProgress(`Downloading ${spec}`, cacheDir, context, () => npm(download, downloadLimitMs, context));
  return { file: await checkedArchive(directory, spec, integrity), integrity };
}

/** npm tells no progress itself; what grows is its cache, which is a folder of this download alone. */
async function withProgress<T>(
  title: string,
  growing: string,
  context: SetupContext,
  work: () => Promise<T>,
): Promise<T> {
  context.progress({ title });
  let working = true;
  const done = work().finally(() => (working = false));
  const report = async (): Promise<void> => {
    for (await sleep(progressIntervalMs); working; await sleep(progressIntervalMs)) {
      const megabytes = (await folderBytes(growing)) / 1e6;
      if (working) context.progress({ title, detail: `${megabytes.toFixed(0)} MB` });
    }
  };
  const [result] = await Promise.all([done, report()]);
  return result;
}

/** Bytes of all files below a folder; files that vanish meanwhile count nothing. */
export async function folderBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ifAbsent([]));
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(
      async (entry) => (await stat(path.join(entry.parentPath, entry.name)).catch(ifAbsent(null)))?.size ?? 0,
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
