import os from 'node:os';
import { h2h3Words, type ProgramWords } from '../../src/core/model/program-words.ts';
import type { ProgressReporter } from '../../src/core/model/workload.ts';
import { download } from '../../src/core/system/download.ts';
import type { Download } from '../../src/core/system/download.ts';
import { runProgram } from '../../src/core/system/run-program.ts';
import type { RunProgram } from '../../src/core/system/run-program.ts';
import { chooseCacheDir, openToolCache } from '../../src/core/system/tool-cache.ts';
import type { ToolCache } from '../../src/core/system/tool-cache.ts';

/** What finding and installing tools needs of the machine; everything can be replaced in tests. */
export interface SetupContext {
  /** Folder of the checkout (holds node_modules). */
  readonly projectDir: string;
  readonly cache: ToolCache;
  readonly platform: NodeJS.Platform;
  /** As `process.arch`: x64, arm64, … */
  readonly arch: string;
  readonly homeDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: ProgressReporter;
  readonly run: RunProgram;
  readonly download: Download;
  readonly signal: AbortSignal;
  /** What sentences call the program that asks. */
  readonly program: ProgramWords;
}

export type SetupContextOptions = Pick<SetupContext, 'projectDir'> &
  Partial<Omit<SetupContext, 'projectDir' | 'cache'>> & {
    /** Folder for tools and caches; chosen when left out. */
    readonly cacheDir?: string;
  };

/** Context of this machine and user. @throws H2h3Error `storage` when no cache folder can be written. */
export async function createSetupContext(options: SetupContextOptions): Promise<SetupContext> {
  const platform = options.platform ?? process.platform;
  const homeDir = options.homeDir ?? os.homedir();
  const environment = options.environment ?? process.env;
  const { projectDir } = options;
  const cacheDir = options.cacheDir ?? (await chooseCacheDir({ projectDir, homeDir, platform, environment }));
  return {
    projectDir,
    cache: openToolCache(cacheDir),
    platform,
    arch: options.arch ?? process.arch,
    homeDir,
    environment,
    progress: options.progress ?? (() => undefined),
    run: options.run ?? runProgram,
    download: options.download ?? download,
    signal: options.signal ?? new AbortController().signal,
    program: options.program ?? h2h3Words,
  };
}
