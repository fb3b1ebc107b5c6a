import path from 'node:path';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { findOnPath, isExecutable } from '../../src/core/system/find-executable.ts';
import { ffmpegWheel } from './ffmpeg-wheel.ts';
import type { SetupContext } from './setup-context.ts';
import { ensureWheelProgram, wheelTool } from './wheel.ts';

/** An ffmpeg program that starts. */
export interface Ffmpeg {
  readonly path: string;
  readonly version: string;
  readonly source: 'path' | 'wheel';
}

const programName = 'ffmpeg';

async function versionOf(file: string, context: SetupContext): Promise<string> {
  const { stdout } = await context.run(file, ['-hide_banner', '-version'], { timeoutMs: 60_000 });
  const version = /^ffmpeg version (\S+)/m.exec(stdout)?.[1];
  if (version === undefined)
    throw new H2h3Error('unsupported', `${file} does not say its version`, { context: { file } });
  return version;
}

/**
 * The ffmpeg on PATH, else the one that was fetched before. Fetches nothing.
 *
 * @throws H2h3Error `unsupported` when neither starts
 */
export async function findFfmpeg(context: SetupContext): Promise<Ffmpeg> {
  const reasons: string[] = [];
  const fetched = path.join(context.cache.directoryOf(wheelTool(ffmpegWheel)), programName);
  const candidates = [
    { file: await findOnPath(programName, context), source: 'path' },
    { file: fetched, source: 'wheel' },
  ] as const;
  for (const { file, source } of candidates) {
    if (file === undefined || !(await isExecutable(file))) {
      reasons.push(source === 'path' ? 'none on PATH' : 'none fetched yet');
      continue;
    }
    try {
      return { path: file, version: await versionOf(file, context), source };
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  throw new H2h3Error('unsupported', 'There is no ffmpeg that starts', {
    context: { got: reasons.join('; ') },
    next: 'Install ffmpeg and put it on PATH (Debian: npx h2h3 setup --system).',
  });
}

/**
 * An ffmpeg that works out VMAF, which Debian's cannot: the one on PATH, else the pinned one, which is fetched where it is not
 * there yet. Undefined where none can be had.
 */
export async function vmafFfmpeg(context: SetupContext): Promise<string | undefined> {
  const onPath = await findOnPath(programName, context);
  if (onPath !== undefined) {
    const { stdout } = await context.run(onPath, ['-hide_banner', '-filters'], { timeoutMs: 60_000 });
    if (/ libvmaf /.test(stdout)) return onPath;
  }
  try {
    return await ensureWheelProgram(ffmpegWheel, programName, context);
  } catch (thrown) {
    if (context.signal.aborted || !(thrown instanceof H2h3Error) || thrown.code !== 'unsupported')
      throw thrown;
    return undefined;
  }
}

/**
 * The ffmpeg on PATH, else the pinned one, which is fetched where it is not there yet.
 *
 * @throws H2h3Error `unsupported` when none can be had, `bad-input` when what was fetched is not the pinned one
 */
export async function ensureFfmpeg(context: SetupContext): Promise<Ffmpeg> {
  try {
    return await findFfmpeg(context);
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
    const reason = thrown.context.got ?? thrown.message;
    try {
      const file = await ensureWheelProgram(ffmpegWheel, programName, context);
      return { path: file, version: await versionOf(file, context), source: 'wheel' };
    } catch (cause) {
      if (context.signal.aborted || !(cause instanceof H2h3Error) || cause.code !== 'unsupported')
        throw cause;
      throw new H2h3Error('unsupported', 'There is no ffmpeg that starts, and none can be fetched', {
        context: { got: `${reason}; ${cause.message}` },
        next: 'Install ffmpeg and put it on PATH (Debian: npx h2h3 setup --system).',
        cause,
      });
    }
  }
}
