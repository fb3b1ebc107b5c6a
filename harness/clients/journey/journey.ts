/**
 * What a journey's script imports as `h2h3/journey`. One script describes one journey: with `test` and Playwright's
 * `page`, or with a default export and Puppeteer's. The program that runs it (`journey-program.ts`) sets what `runtime`
 * holds; a script that is run by anything else hears so.
 */
import { createRequire } from 'node:module';
import { installCommand } from '../../../src/core/system/optional-package.ts';
import type { StepRunner } from './journey-script.ts';

/*
 * Playwright's types, where it is installed, otherwise `any`, and a journey is type-checked all the same. The declarations
 * that are made of this file keep such a comment on a type, but not on an import, and an error that is expected would be
 * missed where Playwright is installed.
 */
/* eslint-disable @typescript-eslint/ban-ts-comment */
/** @ts-ignore */
type Page = import('playwright/test').Page;
/** @ts-ignore */
type BrowserContext = import('playwright/test').BrowserContext;
/** @ts-ignore */
type Browser = import('playwright/test').Browser;
/** @ts-ignore */
type Expect<Extended> = import('playwright/test').Expect<Extended>;
/* eslint-enable @typescript-eslint/ban-ts-comment */

/** What a test of Playwright is given here. */
export interface JourneyFixtures {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly browser: Browser;
}

type TestBody = (fixtures: JourneyFixtures) => unknown;
type StepBody<Fixtures> = (fixtures: Fixtures) => unknown;

export interface DeclaredTest {
  readonly name: string;
  readonly body: TestBody;
  /** File and line of the script that declared it, of a stack. */
  readonly caller: string;
}

/** Collected while the script is loaded. */
export const collected = {
  tests: [] as DeclaredTest[],
  before: [] as StepBody<never>[],
  beforeEach: [] as TestBody[],
  afterEach: [] as TestBody[],
};

/** Set by the program that runs the script. */
export const runtime: { step: StepRunner | null; secret: (name: string) => string } = {
  step: null,
  secret: () => {
    throw new Error('secrets are for journeys that h2h3 runs');
  },
};

/** A named part of the journey with metrics of its own. A step within a step belongs to the outer one. */
export function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  if (runtime.step === null)
    throw new Error('a journey is run by h2h3: npx h2h3 run --url https://… --script FILE');
  return runtime.step(name, work, callerOf(step)) as Promise<T>;
}

/** Work outside the measured part, once before anything is measured: a log-in, a consent. What it leaves every trial begins with. */
export function beforeMeasured<Fixtures = JourneyFixtures>(work: StepBody<Fixtures>): void {
  collected.before.push(work);
}

/** A variable of the environment, which from then on stands in no message. @throws Error where it is not set */
export function secret(name: string): string {
  return runtime.secret(name);
}

/** File and line that called, of a stack that V8 made. */
function callerOf(called: (...values: never[]) => unknown): string {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, called);
  return holder.stack?.split('\n')[1] ?? '';
}

function declareTest(name: string, details: object | TestBody, body?: TestBody): void {
  const work = typeof details === 'function' ? (details as TestBody) : body;
  if (work === undefined) throw new Error(`the test "${name}" has no function`);
  collected.tests.push({ name, body: work, caller: callerOf(declareTest) });
}

function describe(name: string | (() => void), details?: object | (() => void), body?: () => void): void {
  const work = [name, details, body].find((each) => typeof each === 'function');
  (work as (() => void) | undefined)?.();
}

const hook =
  (into: TestBody[]) =>
  (first: string | TestBody, second?: TestBody): void => {
    const body = typeof first === 'function' ? first : second;
    if (body !== undefined) into.push(body);
  };

const parts = {
  step,
  describe,
  beforeEach: hook(collected.beforeEach),
  afterEach: hook(collected.afterEach),
  beforeMeasured,
};

/** Playwright's `test`, as far as a journey has it; what it has not is refused by name. */
export const test: typeof declareTest & typeof parts = new Proxy(Object.assign(declareTest, parts), {
  get: (target, name): unknown => {
    if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
    throw new Error(
      `a journey has no test.${name}: it has test, test.step, test.describe, test.beforeEach, test.afterEach and test.beforeMeasured`,
    );
  },
});

let loaded: Expect<object> | undefined;

function playwrightExpect(): Expect<object> {
  if (loaded !== undefined) return loaded;
  try {
    const { expect: own } = createRequire(import.meta.url)('playwright/test') as {
      readonly expect: Expect<object>;
    };
    return (loaded = own);
  } catch (cause) {
    throw new Error(`expect is Playwright's, which is not installed: ${installCommand('playwright')}`, {
      cause,
    });
  }
}

/** Playwright's `expect`. */
export const expect: Expect<object> = new Proxy((() => undefined) as unknown as Expect<object>, {
  apply: (_target, _self, values: unknown[]): unknown =>
    (playwrightExpect() as unknown as (...given: unknown[]) => unknown)(...values),
  get: (_target, name): unknown => Reflect.get(playwrightExpect(), name),
});
