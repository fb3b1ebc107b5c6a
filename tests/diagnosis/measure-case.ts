import { existsSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Diagnosis } from '../../src/core/model/diagnosis.ts';
import { summarySchema } from '../../src/core/model/summary.ts';
import { startCli } from '../support/cli.ts';
import type { InjectedCase } from './cases.ts';
import { serveInjectedPages } from './injected-pages.ts';

/** What a diagnosis said of one run. */
export interface CaseOutcome {
  /** Causes by id, the most telling first. */
  readonly named: readonly string[];
  readonly diagnosis: readonly Diagnosis[];
  /** Why the run says nothing, where it came to nothing. */
  readonly reason?: string;
}

/** How a run was made: what it took, and how busy the machine was at its end. */
export interface Making {
  readonly durationMs: number;
  /** Load average of a minute. */
  readonly load: number;
}

/** Makes the run of a case in `folder`, or resumes it; one that is whole is only read. */
export async function measureCase(one: InjectedCase, folder: string): Promise<CaseOutcome & Making> {
  const startMs = performance.now();
  const outcome = outcomeIn(folder) ?? (await made(one, folder));
  return { ...outcome, durationMs: performance.now() - startMs, load: loadavg()[0] ?? 0 };
}

async function made(one: InjectedCase, folder: string): Promise<CaseOutcome> {
  const pages = one.flags.some((flag) => flag.includes('ORIGIN')) ? await serveInjectedPages() : null;
  try {
    // Addresses of pages change from run to run, so one that was interrupted begins anew.
    if (pages !== null) rmSync(folder, { recursive: true, force: true });
    const goesOn = existsSync(join(folder, 'plan.json'));
    const flags = one.flags.map((flag) => flag.replace('ORIGIN', pages?.origin ?? ''));
    const { code, stderr } = await startCli(
      goesOn ? ['run', '--resume', folder] : ['run', ...flags, '--out', folder],
      { H2H3_PATH_BACKEND: 'emulator' },
    ).result;
    const lastLine = stderr.trim().split('\n').at(-1) ?? '';
    return (
      outcomeIn(folder) ?? { named: [], diagnosis: [], reason: `no whole run (exit ${code}): ${lastLine}` }
    );
  } finally {
    await pages?.stop();
  }
}

/** Null where the run is not there or not whole. */
export function outcomeIn(folder: string): CaseOutcome | null {
  const file = join(folder, 'summary.json');
  if (!existsSync(file)) return null;
  const { diagnosis = [], trials, run } = summarySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (trials.notRun > 0 || !run.complete) return null;
  return {
    diagnosis,
    named: [...new Set(diagnosis.flatMap(({ causes = [] }) => causes.map(({ id }) => id)))],
  };
}
