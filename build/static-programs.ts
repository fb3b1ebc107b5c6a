import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  emulatorSourceDir,
  emulatorSources,
  emulatorToolName,
  writeDigests,
} from '../harness/network/emulator-programs.ts';

/** The C compiler that makes programs for other kinds of machines too, with the C library that it links into them: version and digests. */
const requirements = join(import.meta.dirname, 'zig-requirements.txt');

/** Kinds of machines by `process.arch`, as the compiler calls them. */
const targets = { x64: 'x86_64-linux-musl', arm64: 'aarch64-linux-musl' } as const;

const flags = ['-static', '-Os', '-s', '-std=gnu17', '-Wall', '-Wextra'];

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? String(error)}`);
}

/** The compiler below `cacheDir`, fetched once from the Python Package Index. @returns its file */
function ensureZig(cacheDir: string): string {
  const [, zigVersion = ''] = /^ziglang==([\d.]+)/m.exec(readFileSync(requirements, 'utf8')) ?? [];
  const folder = join(cacheDir, `ziglang-${zigVersion}`);
  const zig = join(folder, 'ziglang', 'zig');
  if (existsSync(zig)) return zig;
  // Two builds may fetch it at once: the first that has it whole puts it in place.
  const half = `${folder}.${process.pid}`;
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check', '--only-binary=:all:'];
  run('python3', [
    '-m',
    'pip',
    'install',
    ...options,
    '--require-hashes',
    '--target',
    half,
    '--requirement',
    requirements,
  ]);
  try {
    renameSync(half, folder);
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(zig)) throw thrown;
  }
  return zig;
}

/**
 * Compiles the emulator and what belongs to it for every kind of Linux machine that packages are made for, into
 * `targetDir/<name of the programs>/<program>`. Their digests lie next to them. The same source gives the
 * same bytes.
 */
export async function buildStaticPrograms(targetDir: string, cacheDir: string): Promise<void> {
  const zig = ensureZig(cacheDir);
  for (const [arch, target] of Object.entries(targets)) {
    const folder = join(targetDir, await emulatorToolName(arch));
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
  }
}
