import { H2h3Error } from '../../core/model/errors.ts';
import type { Progress } from '../app-context.ts';

/** Where a run is, with the step that is said where it begins; what measures or asks says its own. */
const states = {
  opened: { words: '', next: ['starting', 'publishing'] },
  starting: { words: 'Starting what pages are loaded from', next: ['checking'] },
  checking: { words: '', next: ['warming up'] },
  'warming up': { words: '', next: ['measuring'] },
  measuring: { words: '', next: ['publishing'] },
  publishing: { words: '', next: ['over'] },
  over: { words: '', next: [] },
} as const satisfies Record<string, { readonly words: string; readonly next: readonly string[] }>;

export type RunState = keyof typeof states;

/** The one place where the state of a run changes. A run that was interrupted or failed stays where that happened. */
export class RunProgressState {
  readonly #progress: Pick<Progress, 'reporter'>;
  #now: RunState = 'opened';

  constructor(progress: Pick<Progress, 'reporter'>) {
    this.#progress = progress;
  }

  get now(): RunState {
    return this.#now;
  }

  /** @throws H2h3Error `internal` for a step out of turn */
  advance(to: RunState): void {
    const { next } = states[this.#now];
    if (!next.some((state) => state === to))
      throw new H2h3Error('internal', `a run cannot go from "${this.#now}" to "${to}"`);
    this.#now = to;
    const { words } = states[to];
    if (words !== '') this.#progress.reporter({ title: words });
  }
}
