import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compilerFlags, emulatorSourceDir } from '../../harness/network/emulator-programs.ts';

const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Address and undefined behaviour; the first fault ends the program. */
const sanitizers = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

export interface BuildOptions {
  /** Names in the emulator's folder, or paths. */
  readonly files: readonly string[];
  readonly sanitized: boolean;
}

/** Builds a program of C in a folder. @returns its path @throws AssertionError with what the compiler says */
export function buildProgram(folder: string, { files, sanitized }: BuildOptions): string {
  const program = join(folder, sanitized ? 'sanitized' : 'program');
  const sources = files.map((file) => (file.startsWith('/') ? file : join(emulatorSourceDir, file)));
  const more = ['-Werror', '-I', emulatorSourceDir, ...(sanitized ? sanitizers : [])];
  const words = [...compilerFlags, ...more, '-o', program, ...sources, '-lpthread', '-lm'];
  const { status, stderr } = spawnSync(compiler ?? '', words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return program;
}

/** Why nothing can be built here; false where it can. */
export const noCompilerReason = compiler === undefined ? 'no C compiler' : false;

/** Why the sanitizers cannot be built in; false where they can: small systems have the compiler without their libraries. */
export function noSanitizersReason(): string | false {
  if (compiler === undefined) return 'no C compiler';
  const words = ['-x', 'c', ...sanitizers, '-o', '/dev/null', '-'];
  const { status, stderr } = spawnSync(compiler, words, {
    input: 'int main(void){return 0;}',
    encoding: 'utf8',
  });
  return status === 0 ? false : `${compiler} has no sanitizers: ${stderr.trim().split('\n').at(-1) ?? ''}`;
}
