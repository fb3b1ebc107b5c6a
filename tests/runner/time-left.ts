import { filesIn, type Phase } from './selection.ts';

/** A file to be run, and how many run at the same time as it. */
export interface Expected {
  readonly file: string;
  readonly concurrency: number;
}

/** What a file usually takes on a machine that has not run it yet, in milliseconds: with browsers, and without. */
const usualMs = { browser: 40_000, unit: 400 } as const;

export function expectedOf({ groups, atOnce, waitingAtOnce = atOnce }: Phase): Expected[] {
  return groups.flatMap((group) =>
    filesIn(group).map((file) => ({ file, concurrency: group.waits === true ? waitingAtOnce : atOnce })),
  );
}

/** Says how long the rest of a run takes, from what the same files took last time and how fast this run is against that. */
export class TimeLeft {
  readonly #left = new Map<string, number>();
  #doneMs = 0;

  /** @param lastMs what each file took last time, in milliseconds */
  constructor(expected: readonly Expected[], lastMs: Readonly<Record<string, number>>) {
    for (const { file, concurrency } of expected) {
      const usual = /tests\/unit\/|tests\/[^/]+$/.test(file) ? usualMs.unit : usualMs.browser;
      this.#left.set(file, (lastMs[file] ?? usual) / concurrency);
    }
  }

  get filesLeft(): number {
    return this.#left.size;
  }

  ended(file: string): void {
    this.#doneMs += this.#left.get(file) ?? 0;
    this.#left.delete(file);
  }

  /** In milliseconds. @param spentMs since the first file began */
  leftMs(spentMs: number): number {
    const left = [...this.#left.values()].reduce((sum, ms) => sum + ms, 0);
    // Before anything has ended nothing is known of the pace.
    const pace = this.#doneMs === 0 ? 1 : spentMs / this.#doneMs;
    return left * pace;
  }
}

/** For people: seconds below a minute and a half, else minutes. */
export function inWords(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
