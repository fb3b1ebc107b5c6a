import { pageExpression } from '../page-script.ts';
import type { BidiSession } from './bidi-connection.ts';

/** Firefox's own profiler, of all its processes: what profiler.firefox.com opens. */
export class GeckoProfiler {
  readonly #bidi: BidiSession;
  readonly #file: string;

  constructor(bidi: BidiSession, file: string) {
    this.#bidi = bidi;
    this.#file = file;
  }

  async start(): Promise<void> {
    await this.#bidi.evaluate(
      'browser',
      pageExpression('../firefox/page/profile-browser.ts', 'startProfiler'),
    );
  }

  /** Ends it and has Firefox write the file. */
  async stop(): Promise<void> {
    await this.#bidi.evaluate(
      'browser',
      pageExpression('../firefox/page/profile-browser.ts', 'stopProfiler', this.#file),
    );
  }
}
