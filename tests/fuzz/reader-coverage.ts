import { readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectDir } from '../support/cli.ts';

/** How much of a module's functions ran. */
export interface Coverage {
  readonly functions: number;
  readonly reachedFunctions: number;
  /** Lines within functions that begin with code. */
  readonly lines: number;
  readonly reachedLines: number;
}

/** Counts from now on; modules that are loaded later are counted whole. Returns what reads the counts. */
export async function startCoverage(): Promise<(modules: readonly string[]) => Promise<Coverage>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async (modules) => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const scripts = new Map(result.map((script) => [script.url, script]));
    return sumOf(modules.map((module) => coverageOf(module, scripts)));
  };
}

function coverageOf(module: string, scripts: ReadonlyMap<string, Profiler.ScriptCoverage>): Coverage {
  const file = join(projectDir, module);
  const text = readFileSync(file, 'utf8');
  const script = scripts.get(pathToFileURL(file).href);
  if (script === undefined) throw new Error(`${module} was not loaded`);
  // The first is the module itself; what is in functions is what reads.
  const functions = script.functions.filter(({ ranges }) => (ranges[0]?.startOffset ?? 0) > 0);
  const counts = new Array<number | undefined>(text.length);
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  const atLineStarts = [...text.matchAll(/^[ \t]*(?=[^\s/*)}\]])/gm)].map(
    ({ index, 0: indent }) => counts[index + indent.length],
  );
  const lines = atLineStarts.filter((count) => count !== undefined);
  return {
    functions: functions.length,
    reachedFunctions: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length,
    lines: lines.length,
    reachedLines: lines.filter((count) => count > 0).length,
  };
}

function sumOf(parts: readonly Coverage[]): Coverage {
  const total = (of: (part: Coverage) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
  return {
    functions: total(({ functions }) => functions),
    reachedFunctions: total(({ reachedFunctions }) => reachedFunctions),
    lines: total(({ lines }) => lines),
    reachedLines: total(({ reachedLines }) => reachedLines),
  };
}
