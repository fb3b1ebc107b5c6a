import type { Browser, Page } from 'puppeteer-core';
import type { LiveAccess } from '../../../src/core/model/live-access.ts';
import type { ClientLaunchOptions } from '../client-driver.ts';

/** What a script that logs in is given; its default export is a function that takes this. */
export interface LogInContext {
  /** Puppeteer's page, empty, in a browser of the family that is measured. What is typed in it stands in no message and no file. */
  readonly page: Page;
  readonly browser: Browser;
  /** The address that is measured afterwards. */
  readonly url: string;
  /** A variable of the environment, which from then on stands in no message. @throws Error where it is not set */
  readonly secret: (name: string) => string;
}

export type LogInScript = (context: LogInContext) => Promise<unknown>;

/** What the program is told, a line of JSON on its standard input. */
export interface LogInOrder {
  readonly scriptFile: string;
  readonly url: string;
  readonly launch: ClientLaunchOptions;
}

/** What it answers, as JSON on its fourth file descriptor. */
export type LogInAnswer =
  | {
      readonly kind: 'done';
      readonly state: LiveAccess['state'];
      readonly secrets: readonly string[];
    }
  /** The script failed, with its message and without its secrets. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** Where it failed for want of one: its name. */
      readonly unsetVariable?: string;
    };
