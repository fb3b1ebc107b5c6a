import type { ConsoleLine } from '../../../src/core/model/journey-failure.ts';

/** The way of a user's script to the browser that the harness started, besides the harness's own. */
export interface JourneyPort {
  /** What it speaks. */
  readonly protocol: 'cdp' | 'webDriverBiDi';
  /** Takes a message of the script. */
  send(message: string): void;
  /** Set by the part that passes messages on to the script. */
  onMessage: (message: string) => void;
  /** Value of an expression, or of the promise that it is, in the page as it is now. @throws H2h3Error */
  evaluate(expression: string): Promise<unknown>;
  /** The page as it is now, as a JPEG. @throws H2h3Error */
  screenshot(): Promise<Buffer>;
  /** What the page has written to its console, as far as the browser kept it. @throws H2h3Error */
  console(): Promise<readonly ConsoleLine[]>;
  /** Resolves with what a script may not do to its browser: a window that it opened, the page or browser that it closed. */
  readonly misdeed: Promise<string>;
  /** Rejects when the browser or the process of its page is gone. */
  readonly gone: Promise<never>;
}
