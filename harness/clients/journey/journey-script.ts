import type { Browser, Page } from 'puppeteer-core';
import type { LiveAccess } from '../../../src/core/model/live-access.ts';

/** What a script with a default export is given: that of `h2h3/journey` goes with it. */
export interface JourneyContext {
  /** Puppeteer's page in the browser that is measured. */
  readonly page: Page;
  readonly browser: Browser;
  /** The address that the run names. */
  readonly url: string;
  /** A named part of the journey with metrics of its own. */
  readonly step: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
  /** A variable of the environment, which from then on stands in no message. @throws Error where it is not set */
  readonly secret: (name: string) => string;
}

/** Runs a step that the script named; `caller` is the line of the stack that called it. */
export type StepRunner = (name: string, work: () => unknown, caller: string) => Promise<unknown>;

/** `measured`: the journey itself. `before`: what comes before it and is not measured. */
export type JourneyPart = 'before' | 'measured';

/** What the program that runs a script is told. `go`: the step may begin, or its end was seen. */
export type JourneyOrder =
  | {
      readonly type: 'run';
      readonly part: JourneyPart;
      readonly scriptFile: string;
      readonly url: string;
      readonly protocol: 'cdp' | 'webDriverBiDi';
      readonly acceptsAnyCertificate: boolean;
      /** How long the script's library waits for anything that the script gives no time of its own, ms. */
      readonly waitLimitMs: number;
    }
  | { readonly type: 'go' };

/** What it says. Secrets that it used are in none of it but `secret`, which leaves this process no further. */
export type JourneyMessage =
  | { readonly type: 'secret'; readonly value: string }
  | { readonly type: 'step'; readonly name: string; readonly where: string }
  | { readonly type: 'stepped'; readonly startEpochMs: number; readonly endEpochMs: number }
  | { readonly type: 'done'; readonly state: LiveAccess['state'] | null }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly where: string;
      /** Where it failed for want of one: its name. */
      readonly unsetVariable?: string;
    };
