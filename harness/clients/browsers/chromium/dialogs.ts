import { dialogWarnings } from '../dialog-warnings.ts';
import type { CdpSession } from './cdp-connection.ts';
import type { Targets } from './targets.ts';

/** Says yes to every dialog of the page and its frames, and keeps what they asked: a page waits for the answer for ever. */
export class Dialogs {
  readonly #asked: string[] = [];

  constructor(page: CdpSession, targets: Targets) {
    this.#answer(page);
    targets.observe(
      (session) => this.#answer(session),
      () => undefined,
    );
  }

  warnings(): string[] {
    return dialogWarnings(this.#asked);
  }

  #answer(session: CdpSession): void {
    session.on('Page.javascriptDialogOpening', ({ type, message }) => {
      this.#asked.push(`${type} "${message}"`);
      // A page that is gone by now needs no answer.
      session.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined);
    });
  }
}
