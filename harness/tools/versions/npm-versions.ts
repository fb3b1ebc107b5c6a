import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as tar from 'tar';
import { H2h3Error, ifAbsent } from '../../../src/core/model/errors.ts';
import { fetchArchive, publishedVersions } from '../npm-registry.ts';
import { isPrerelease } from '../version-order.ts';
import type { VersionSource } from './version-source.ts';

/** A script that its makers publish, built, in an npm package; nothing of the package runs here. */
export interface ScriptPackage {
  readonly packageName: string;
  /** Where the built script lies in the package; versions differ in it, so the first that is there. */
  readonly scripts: readonly string[];
  /** First numbers of the versions that are offered. */
  readonly majors: readonly number[];
  /** Its name in the version's folder. */
  readonly file: string;
}

/** The versions of a package that the npm registry has. */
export function npmVersions({ packageName, scripts, majors, file }: ScriptPackage): VersionSource {
  const origin = `npm ${packageName}`;
  const isOffered = (version: string): boolean =>
    !isPrerelease(version) && majors.includes(Number.parseInt(version, 10));
  return {
    title: `${origin} of the npm registry`,
    unsupported: () => Promise.resolve(undefined),
    available: async (context) =>
      (await publishedVersions(packageName, context))
        .filter(isOffered)
        .map((version) => ({ version, release: version, origin, integrity: null })),
    fill: async ({ version }, directory, context) => {
      const unpacked = path.join(directory, 'package');
      const archive = await fetchArchive(packageName, version, directory, context);
      const wanted = scripts.map((script) => `package/${script}`);
      await tar.extract({
        file: archive.file,
        cwd: directory,
        filter: (entry) => wanted.includes(entry),
      });
      const script = await firstOf(scripts.map((one) => path.join(unpacked, one)));
      if (script === undefined)
        throw new H2h3Error('bad-input', `${packageName} ${version} has no ${scripts.join(' and no ')}`);
      await writeFile(path.join(directory, file), script);
      for (const name of [unpacked, archive.file, path.join(directory, 'npm-cache')])
        await rm(name, { recursive: true, force: true });
      return archive.integrity;
    },
  };
}

async function firstOf(files: readonly string[]): Promise<Buffer | undefined> {
  for (const file of files) {
    const content = await readFile(file).catch(ifAbsent(undefined));
    if (content !== undefined) return content;
  }
  return undefined;
}
