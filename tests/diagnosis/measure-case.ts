import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnosis } from '../../src/model/diagnosis.ts';
import { summarySchema } from '../../src/model/summary.ts';
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

/** Makes the run of a case in `folder`, or goes on with it; one that is whole is only read. */
export async function measureCase(one: InjectedCase, folder: string): Promise<CaseOutcome> {
  const before = outcomeIn(folder);
  if (before !== null) return before;
  const pages = one.flags.some((flag) => flag.includes('ORIGIN')) ? await serveInjectedPages() : null;
  try {
    // Addresses of pages change from run to run, so one that was interrupted begins anew.
    const goesOn = pages === null && existsSync(join(folder, 'plan.json'));
    const flags = one.flags.map((flag) => flag.replace('ORIGIN', pages?.origin ?? ''));
    const { code, stderr } = await startCli(
      goesOn ? ['run', '--resume', folder] : ['run', ...flags, '--out', folder],
      { H2H3_PATH_BACKEND: 'emulator' },
    ).result;
    const after = outcomeIn(folder);
    const lastLine = stderr.trim().split('\n').at(-1) ?? '';
    return after ?? { named: [], diagnosis: [], reason: `no whole run (exit ${code}): ${lastLine}` };
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

/** How often each cause was named in the runs that are there, as Markdown. */
export function tableOf(cases: readonly InjectedCase[], folder: string): string {
  const rows = cases.map(({ id, cause, injected }) => {
    const place = join(folder, id);
    const runs = (existsSync(place) ? readdirSync(place) : []).filter((name) => /^\d+$/.test(name));
    const outcomes = runs.flatMap((run) => outcomeIn(join(place, run)) ?? []);
    const right = outcomes.filter(({ named }) =>
      cause === null ? named.length === 0 : named.includes(cause),
    );
    const beside = new Map<string, number>();
    for (const name of outcomes.flatMap(({ named }) => named))
      if (name !== cause) beside.set(name, (beside.get(name) ?? 0) + 1);
    const others = [...beside].map(([name, times]) => `${name} ${times}`).join(', ');
    return [injected, cause ?? 'none', `${right.length} of ${outcomes.length}`, others];
  });
  return [['injected', 'cause', 'named', 'named beside it'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
