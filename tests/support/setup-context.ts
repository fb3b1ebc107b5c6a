import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProgramResult, RunProgram } from '../../src/core/system/run-program.ts';
import { h2h3Words } from '../../src/core/model/program-words.ts';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { openToolCache } from '../../src/core/system/tool-cache.ts';

/** What a started program left when nothing else is said. */
export const succeeded: ProgramResult = { exitCode: 0, stdout: '', stderr: '' };

/** A context whose PATH, home and caches lie below `folder`; programs are answered by `run`. */
export function setupContextIn(folder: string, changes: Partial<SetupContext> = {}): SetupContext {
  return {
    projectDir: path.join(folder, 'project'),
    cache: openToolCache(path.join(folder, 'cache')),
    platform: 'linux',
    arch: 'x64',
    homeDir: path.join(folder, 'home'),
    environment: { PATH: path.join(folder, 'bin') },
    progress: () => undefined,
    run: () => Promise.resolve(succeeded),
    download: (url) => Promise.reject(new Error(`no network for ${url}`)),
    signal: new AbortController().signal,
    program: h2h3Words,
    ...changes,
  };
}

/** Puts an executable file at `file`; tests that answer for it by `run` need no content. */
export function placeProgram(file: string, script = '#!/bin/sh\n'): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, script, { mode: 0o755 });
  return file;
}

/** A `run` that notes each command line and answers it by `answer`. */
export function recordingRun(
  answer: (line: string) => Partial<ProgramResult> | Promise<Partial<ProgramResult>>,
): { readonly run: RunProgram; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const run: RunProgram = async (command, args) => {
    const line = [command, ...args].join(' ');
    lines.push(line);
    return { ...succeeded, ...(await answer(line)) };
  };
  return { run, lines };
}
