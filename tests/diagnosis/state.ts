import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { InjectedCase } from './cases.ts';

const runSchema = z.object({
  case: z.string(),
  /** From 1 on. */
  number: z.number().int().positive(),
  named: z.array(z.string()),
  durationMs: z.number(),
  load: z.number(),
});
const stateSchema = z.object({ schemaVersion: z.literal(1), runs: z.array(runSchema) });

/** A run that is whole, and what it named. */
export type VerifiedRun = z.infer<typeof runSchema>;

/** The runs that were made so far, in one file, so that what was interrupted goes on without reading them again. */
export class VerificationState {
  readonly #file: string;
  readonly #runs: VerifiedRun[];

  constructor(file: string) {
    this.#file = file;
    this.#runs = existsSync(file) ? stateSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).runs : [];
  }

  runsOf({ id }: InjectedCase): readonly VerifiedRun[] {
    return this.#runs.filter((run) => run.case === id);
  }

  has({ id }: InjectedCase, number: number): boolean {
    return this.#runs.some((run) => run.case === id && run.number === number);
  }

  add(run: VerifiedRun): void {
    this.#runs.push(run);
    mkdirSync(dirname(this.#file), { recursive: true });
    // Killed while it writes, the file before stays.
    writeFileSync(`${this.#file}.new`, JSON.stringify({ schemaVersion: 1, runs: this.#runs }, null, 1));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Whether a run says what it should: the injected cause, or none where nothing was injected. */
export function isRight({ cause }: InjectedCase, { named }: Pick<VerifiedRun, 'named'>): boolean {
  return cause === null ? named.length === 0 : named.includes(cause);
}

/** `9 of 10`. */
export function tally(one: InjectedCase, state: VerificationState): string {
  const runs = state.runsOf(one);
  return `${runs.filter((run) => isRight(one, run)).length} of ${runs.length}`;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** How often each cause was named, as Markdown. */
export function tableOf(cases: readonly InjectedCase[], state: VerificationState): string {
  const rows = cases.map((one) => {
    const runs = state.runsOf(one);
    const beside = new Map<string, number>();
    for (const name of runs.flatMap(({ named }) => named))
      if (name !== one.cause) beside.set(name, (beside.get(name) ?? 0) + 1);
    const others = [...beside].map(([name, times]) => `${name} ${times}`).join(', ');
    const took =
      runs.length === 0 ? '' : `${Math.round(medianOf(runs.map(({ durationMs }) => durationMs)) / 1000)} s`;
    const load = runs.length === 0 ? '' : medianOf(runs.map((run) => run.load)).toFixed(1);
    return [one.injected, one.cause ?? 'none', tally(one, state), others, took, load];
  });
  const heads = ['injected', 'cause', 'named', 'named beside it', 'a run took', 'load average'];
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
