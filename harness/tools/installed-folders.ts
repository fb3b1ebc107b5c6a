import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { H2h3Error, ifAbsent } from '../../src/core/model/errors.ts';
import { isAlive } from '../../src/core/system/processes/process-identity.ts';
import type { SetupContext } from './setup-context.ts';
import { readInput } from '../../src/core/system/read-input.ts';
import { writeWhole } from '../../src/core/system/write-whole.ts';

type CacheContext = Pick<SetupContext, 'cache'>;

/** Where an installed version lies. */
export interface InstalledFolder {
  readonly directory: string;
}

/** Versions of one sort: a folder of the tool cache each, with a marker that is written last, so that half of one is none. */
export interface InstalledFolders<Marker> {
  /** Writes the marker whole or not at all. */
  readonly mark: (directory: string, marker: Marker) => void;
  /** @throws H2h3Error `bad-input` for a folder whose marker is missing or malformed */
  readonly read: (directory: string) => Marker & InstalledFolder;
  readonly list: (context: CacheContext) => Promise<(Marker & InstalledFolder)[]>;
  /** Removes what installations left whose process is gone; returns how many. */
  readonly removeAbandoned: (context: CacheContext) => Promise<number>;
}

export interface MarkedFolders<Marker> {
  readonly schema: z.ZodType<Marker>;
  /** Of the folders' names. */
  readonly prefix: string;
  readonly markerFile: string;
  /** What a folder without a marker is none of, for the error. */
  readonly what: string;
  /** What to do about it. */
  readonly next: string;
}

/** Folders that are marked in one way. */
export function installedFolders<Marker>(form: MarkedFolders<Marker>): InstalledFolders<Marker> {
  const { schema, prefix, markerFile, what, next } = form;
  const toolsDirOf = ({ cache }: CacheContext): string => path.dirname(cache.directoryOf('any'));
  const entriesIn = async (toolsDir: string): Promise<string[]> =>
    (await readdir(toolsDir).catch(ifAbsent([]))).filter((entry) => entry.startsWith(prefix));
  const read = (directory: string): Marker & InstalledFolder => {
    const file = path.join(directory, markerFile);
    try {
      return {
        ...schema.parse(JSON.parse(readInput(file, { what, followLink: false }).toString('utf8'))),
        directory,
      };
    } catch (cause) {
      throw new H2h3Error('bad-input', `${directory} holds no whole ${what}`, {
        context: { file },
        next,
        cause,
      });
    }
  };
  return {
    read,
    mark(directory, marker) {
      const file = path.join(directory, markerFile);
      writeWhole(file, `${JSON.stringify(schema.parse(marker), null, 1)}\n`);
    },
    async list(context) {
      const toolsDir = toolsDirOf(context);
      const whole = (await entriesIn(toolsDir)).filter((entry) => !/\.(?:partial-|lock$)/.test(entry));
      return whole.map((entry) => read(path.join(toolsDir, entry)));
    },
    async removeAbandoned(context) {
      const toolsDir = toolsDirOf(context);
      const abandoned = (await entriesIn(toolsDir)).filter((entry) => {
        const pid = /\.partial-(\d+)-/.exec(entry)?.[1];
        return pid !== undefined && !isAlive(Number(pid));
      });
      for (const entry of abandoned) await rm(path.join(toolsDir, entry), { recursive: true, force: true });
      return abandoned.length;
    },
  };
}

/** Removes an installed version. Its name is given up first, so that half of it never counts as installed. */
export async function removeInstalled({ directory }: InstalledFolder): Promise<void> {
  const doomed = `${directory}.partial-${process.pid}-removed`;
  await rename(directory, doomed);
  await rm(doomed, { recursive: true, force: true });
}
