import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { tailOf } from '../../../src/core/system/run-program.ts';
import { npm } from '../npm-registry.ts';
import type { SetupContext } from '../setup-context.ts';
import type { VersionSource } from './version-source.ts';

/** A package whose makers publish modules, not one script: it is bundled here, in the one version that a lock file pins. */
export interface BundledPackage {
  readonly packageName: string;
  /** The module of it that pages load. */
  readonly entry: string;
  /** The page finds the version under this name of `globalThis`. */
  readonly versionName: string;
  /** Folder with `package.json` and `package-lock.json`: of the package, all that it needs, and esbuild. */
  readonly lockDir: string;
  /** The script's name in the version's folder. */
  readonly file: string;
}

const installLimitMs = 10 * 60_000;
const bundleLimitMs = 60_000;
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});

/** The pinned version of a package, with all that it needs by their pinned digests. No script of a package runs. */
export function npmBundle({ packageName, entry, versionName, lockDir, file }: BundledPackage): VersionSource {
  const origin = `npm ${packageName}`;
  const locked = async (): Promise<{ version: string; integrity: string }> => {
    const text = await readFile(path.join(lockDir, 'package-lock.json'), 'utf8');
    const { version, integrity } =
      lockSchema.parse(JSON.parse(text)).packages[`node_modules/${packageName}`] ?? {};
    if (version === undefined || integrity === undefined)
      throw new H2h3Error('internal', `the lock file does not pin ${packageName}`);
    return { version, integrity };
  };
  return {
    title: `${origin} of the npm registry`,
    unsupported: () => Promise.resolve(undefined),
    available: async () => {
      const { version, integrity } = await locked();
      return [{ version, release: version, origin, integrity }];
    },
    fill: async ({ version }, directory, context) => {
      const work = path.join(directory, 'bundling');
      await mkdir(work);
      for (const name of ['package.json', 'package-lock.json'])
        await copyFile(path.join(lockDir, name), path.join(work, name));
      await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], installLimitMs, context, work);
      const script = `import ${JSON.stringify(entry)};\nglobalThis.${versionName} = ${JSON.stringify(version)};\n`;
      await writeFile(path.join(work, 'entry.js'), script);
      await bundle(work, path.join(directory, file), context);
      await rm(work, { recursive: true, force: true });
      return (await locked()).integrity;
    },
  };
}

async function bundle(work: string, target: string, context: SetupContext): Promise<void> {
  const esbuild = path.join(work, 'node_modules', 'esbuild', 'bin', 'esbuild');
  const words = [
    'entry.js',
    '--bundle',
    '--minify',
    '--format=iife',
    `--outfile=${target}`,
    '--log-level=error',
  ];
  const result = await context.run(process.execPath, [esbuild, ...words], {
    timeoutMs: bundleLimitMs,
    cwd: work,
    signal: context.signal,
  });
  if (result.exitCode === 0) return;
  throw new H2h3Error('process-failed', 'esbuild could not bundle the player', {
    context: { stderrTail: tailOf(result.stderr) },
  });
}
