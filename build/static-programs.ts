import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compilerFlags,
  digestsFile,
  emulatorSourceDir,
  emulatorSources,
  emulatorToolName,
  writeDigests,
} from '../harness/network/emulator-programs.ts';
import { createSetupContext } from '../harness/tools/setup-context.ts';
import { ensureZig } from '../harness/tools/zig.ts';

/** Kinds of machines by `process.arch`, as the compiler calls them. */
export const targets = { x64: 'x86_64-linux-musl', arm64: 'aarch64-linux-musl' } as const;

/** What every build must give: digests as `sha256sum` writes them, by programs in folders that have the names of their source. */
export const pinnedDigestsFile = join(import.meta.dirname, 'static-programs.sha256');

/** By `-Os` Zig would link a `memcpy` that copies byte by byte, 40 % of the emulator's time at 1 Gbit/s. */
const flags = ['-static', '-s', ...compilerFlags];

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? String(error)}`);
}

/**
 * Compiles the emulator and what belongs to it for every kind of Linux machine that packages are made for, into
 * `targetDir/<name of the programs>/<program>`. Their digests lie next to them. The same source gives the
 * same bytes.
 *
 * @returns digests as `pinnedDigestsFile` has them
 */
export async function compileStaticPrograms(targetDir: string): Promise<string> {
  const zig = await ensureZig(await createSetupContext({ projectDir: join(import.meta.dirname, '..') }));
  let digests = '';
  for (const [arch, target] of Object.entries(targets)) {
    const name = await emulatorToolName(arch);
    const folder = join(targetDir, name);
    mkdirSync(folder, { recursive: true });
    for (const [program, files] of Object.entries(emulatorSources)) {
      const sources = files.map((file) => join(emulatorSourceDir, file));
      run(zig, [
        'cc',
        '-target',
        target,
        ...flags,
        '-o',
        join(folder, program),
        ...sources,
        '-lpthread',
        '-lm',
      ]);
    }
    await writeDigests(folder);
    digests += readFileSync(join(folder, digestsFile), 'utf8').replaceAll(/^(\w+ {2})/gm, `$1${name}/`);
  }
  return digests;
}

/** The same for a package. @throws Error where a program has not the digest that is pinned */
export async function buildStaticPrograms(targetDir: string): Promise<void> {
  const digests = await compileStaticPrograms(targetDir);
  if (digests === readFileSync(pinnedDigestsFile, 'utf8')) return;
  throw new Error(
    `what was compiled is not what ${pinnedDigestsFile} pins. Where sources in C changed, \`npm run digests\` pins it anew:\n${digests}`,
  );
}
