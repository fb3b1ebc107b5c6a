import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PrepareContext } from '../../src/model/workload.ts';

const packagedFfmpeg = (createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string }).path;

/** A context for preparing video below `cacheDir` with the ffmpeg that npm brings. */
export function videoContext(cacheDir: string, options: Partial<PrepareContext> = {}): PrepareContext {
  return {
    cacheDir,
    projectDir: join(import.meta.dirname, '../..'),
    port: 4433,
    ffmpegPath: () => Promise.resolve(packagedFfmpeg),
    progress: () => undefined,
    signal: new AbortController().signal,
    ...options,
  };
}
