import type { TrialStep } from './worker-protocol.ts';

/** Notes how long each step of a trial took: from the end of the one before it. */
export class StepClock {
  readonly steps: TrialStep[] = [];
  #lastMs = performance.now();

  /** A step that overlapped with others. */
  note(name: string, durationMs: number): void {
    this.steps.push({ name, durationMs });
  }

  /** Ends the step `name`. */
  end(name: string): void {
    const nowMs = performance.now();
    this.steps.push({ name, durationMs: nowMs - this.#lastMs });
    this.#lastMs = nowMs;
  }
}
