import { createRequire } from 'node:module';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import { findOnPath, isExecutable } from '../../src/system/find-executable.ts';
import type { SetupContext } from './setup-context.ts';
import { installCommand } from '../../src/system/optional-package.ts';

/** An ffmpeg program that starts. */
export interface Ffmpeg {
  readonly path: string;
  readonly version: string;
  readonly source: 'path' | 'npm';
}

/** The ffmpeg on PATH, else the one that npm brought. @throws H2h3Error `unsupported` when neither starts. */
export async function findFfmpeg(context: SetupContext): Promise<Ffmpeg> {
  const reasons: string[] = [];
  const onPath = await findOnPath('ffmpeg', context);
  const candidates = [
    { file: onPath, source: 'path' },
    { file: packagedFfmpeg(), source: 'npm' },
  ] as const;
  for (const { file, source } of candidates) {
    if (file === undefined || !(await isExecutable(file))) {
      reasons.push(source === 'path' ? 'none on PATH' : 'none from npm for this platform');
      continue;
    }
    try {
      const { stdout } = await context.run(file, ['-hide_banner', '-version'], { timeoutMs: 15_000 });
      const version = /^ffmpeg version (\S+)/m.exec(stdout)?.[1];
      if (version !== undefined) return { path: file, version, source };
      reasons.push(`${file} does not say its version`);
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  throw new H2h3Error('unsupported', 'There is no ffmpeg that starts', {
    context: { got: reasons.join('; ') },
    next: `Install ffmpeg and put it on PATH (Debian: h2h3 setup --system), or \`${installCommand('@ffmpeg-installer/ffmpeg')}\`.`,
  });
}

/** Path of the program in the npm package; undefined on platforms that it has none for. */
function packagedFfmpeg(): string | undefined {
  try {
    const found = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { readonly path: string };
    return found.path;
  } catch {
    // The package throws on platforms that it has no program for.
    return undefined;
  }
}
