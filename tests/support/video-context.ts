import { ensureFfmpeg } from '../../harness/tools/ffmpeg.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { PrepareContext } from '../../src/core/model/workload.ts';
import { projectDir } from './cli.ts';

/** A context for preparing video below `cacheDir` with the ffmpeg that a run would take. */
export function videoContext(cacheDir: string, options: Partial<PrepareContext> = {}): PrepareContext {
  return {
    cacheDir,
    projectDir,
    port: 4433,
    ffmpegPath: async () => (await ensureFfmpeg(await createSetupContext({ projectDir }))).path,
    progress: () => undefined,
    signal: new AbortController().signal,
    ...options,
  };
}
