/** A reporter of Node's test runner that writes what the run needs as JSON, a line each. */
import { inspect } from 'node:util';
import type { TestEvent as NodeTestEvent } from 'node:test/reporters';

export interface Counts {
  readonly tests: number;
  readonly suites: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

export type TestEvent =
  | {
      readonly type: 'test';
      readonly file: string;
      readonly name: string;
      readonly nesting: number;
      readonly durationMs: number;
      /** Why it failed, as a person reads it; undefined: it did not. */
      readonly failure?: string;
      /** Why it was skipped; undefined: it was not. */
      readonly skipped?: string;
    }
  /** A file in a process of its own has ended. */
  | { readonly type: 'file'; readonly file: string; readonly durationMs: number }
  /** All have. */
  | { readonly type: 'end'; readonly counts: Counts };

/** What is to be said of an error: without the runner's own wrapping, and nothing where tests below say it. */
function failureOf(error: Error): { readonly failure?: string } {
  if ('failureType' in error && error.failureType === 'subtestsFailed') return {};
  const { cause = error } = error;
  return { failure: typeof cause === 'string' ? cause : inspect(cause) };
}

function eventOf(event: NodeTestEvent): TestEvent | undefined {
  if (event.type === 'test:pass' || event.type === 'test:fail') {
    const { name, nesting, file = '', details, skip } = event.data;
    const failure = event.type === 'test:fail' ? failureOf(event.data.details.error) : {};
    const skipped =
      skip === undefined || skip === false ? {} : { skipped: skip === true ? 'no reason given' : skip };
    return { type: 'test', file, name, nesting, durationMs: details.duration_ms, ...failure, ...skipped };
  }
  if (event.type !== 'test:summary') return undefined;
  const { file, counts, duration_ms: durationMs } = event.data;
  if (file !== undefined) return { type: 'file', file, durationMs };
  const { tests, passed, cancelled, skipped, todo } = counts;
  return { type: 'end', counts: { ...counts, failed: tests - passed - cancelled - skipped - todo } };
}

export default async function* report(source: AsyncIterable<NodeTestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const own = eventOf(event);
    if (own !== undefined) yield `${JSON.stringify(own)}\n`;
  }
}
