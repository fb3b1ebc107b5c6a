import type { Counts, TestEvent } from './test-events.ts';
import { shortName } from './selection.ts';
import { inWords } from './time-left.ts';

/** What a phase of the run took of the machine. */
export interface PhaseUse {
  readonly name: string;
  readonly durationMs: number;
  /** Share of the time of all CPUs that was not idle; null where the system does not say. */
  readonly busy: number | null;
}

export interface Failure {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const noCounts: Counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };
const slowestCount = 10;
const bringsAll = '`npx h2h3 setup --system`';

/** What the tests of a run have come to so far. */
export class Tally {
  readonly failures: Failure[] = [];
  /** How long each file took, in milliseconds. */
  readonly timesMs = new Map<string, number>();
  readonly #skipped: { readonly file: string; readonly name: string; readonly reason: string }[] = [];
  readonly #phases: PhaseUse[] = [];
  #counts = noCounts;

  add(event: TestEvent): void {
    if (event.type === 'file') this.timesMs.set(event.file, event.durationMs);
    if (event.type === 'end') this.#counts = sum(this.#counts, event.counts);
    if (event.type !== 'test') return;
    const { file, name, nesting, durationMs, failure, skipped } = event;
    // Files that share a process are not timed by themselves.
    if (nesting === 0) this.timesMs.set(file, (this.timesMs.get(file) ?? 0) + durationMs);
    if (failure !== undefined) this.failures.push({ file, name, text: failure });
    if (skipped !== undefined) this.#skipped.push({ file, name, reason: skipped });
  }

  /** Something that failed and is no test. */
  fail(failure: Failure): void {
    this.failures.push(failure);
    this.#counts = sum(this.#counts, { ...noCounts, tests: 1, failed: 1 });
  }

  ended(phase: PhaseUse): void {
    this.#phases.push(phase);
  }

  get passed(): boolean {
    return this.failures.length === 0 && this.#counts.failed === 0 && this.#counts.cancelled === 0;
  }

  /** What was left out on purpose or for want of something, each reason once. */
  skippedLines(): string[] {
    if (this.#skipped.length === 0) return [];
    const byReason = Map.groupBy(this.#skipped, ({ reason }) => firstLine(reason));
    const lines = [...byReason]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .flatMap(([reason, all]) => [
        `  ${all.length} × ${reason}`,
        ...all.map(({ file, name }) => `      ${shortName(file)}: ${name}`),
      ]);
    return ['Skipped:', ...lines];
  }

  slowestLines(): string[] {
    const slowest = [...this.timesMs].toSorted(([, one], [, other]) => other - one).slice(0, slowestCount);
    const lines = slowest.map(
      ([file, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${shortName(file)}`,
    );
    return [`The ${lines.length} slowest files:`, ...lines];
  }

  /** How busy each phase kept the CPUs: where they idled, more files could have run at once. */
  cpuLine(): string {
    const phases = this.#phases.map(({ name, durationMs, busy }) => {
      const share = busy === null ? 'not known' : `${Math.round(100 * busy)} %`;
      return `${name} ${share} of ${inWords(durationMs)}`;
    });
    return `CPU time in use: ${phases.join(', ')}`;
  }

  /** The last lines: in the words of Node's own reporter, which tools read. */
  closingLines(spentMs: number): string[] {
    const { tests, suites, passed, failed, cancelled, skipped, todo } = this.#counts;
    const brings =
      skipped === 0
        ? []
        : [
            `${skipped} of ${tests} tests were skipped, as told above. ${bringsAll} brings the browsers and programs that they lack.`,
          ];
    const counted = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo };
    const lines = Object.entries(counted).map(([word, count]) => `ℹ ${word} ${count}`);
    return [...brings, ...lines, `ℹ duration_ms ${Math.round(spentMs)}`];
  }

  failureLines(): string[] {
    return this.failures.flatMap((failure) => [...linesOfFailure(failure), '']);
  }
}

export function linesOfFailure({ file, name, text }: Failure): string[] {
  return [`✖ ${shortName(file)}: ${name}`, indented(text)];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function sum(one: Counts, other: Counts): Counts {
  return {
    tests: one.tests + other.tests,
    suites: one.suites + other.suites,
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    skipped: one.skipped + other.skipped,
    todo: one.todo + other.todo,
  };
}
