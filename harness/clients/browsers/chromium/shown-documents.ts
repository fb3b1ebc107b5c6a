import type { ShownDocument } from '../../../../src/core/model/raw-trial.ts';
import type { CdpSession } from './cdp-connection.ts';

/**
 * The documents that a tab showed one after the other by client-side redirects, of a script or `meta refresh`. A user asks for the
 * first and waits for the last, so times count from the first.
 */
export class ShownDocuments {
  readonly #shown: ShownDocument[] = [];
  readonly #page: CdpSession;
  #frameId: string | undefined;
  #askedEpochMs = 0;
  /** A document of the tab is asked for, or loads. */
  #isUnderWay = false;
  #unreachable: string | undefined;
  #waiting: (() => void)[] = [];

  constructor(page: CdpSession) {
    this.#page = page;
  }

  /** From now on the tab is on its way to the page. */
  begin(): void {
    this.#askedEpochMs = Date.now();
    this.#isUnderWay = true;
    this.#page.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      if (frameId !== this.#frameId || /samedocument/i.test(navigationType)) return;
      this.#isUnderWay = true;
      this.#askedEpochMs = Date.now();
    });
    this.#page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#frameId = frame.id;
      this.#isUnderWay = true;
      // The first one's failure is that of the navigation.
      if (this.#shown.length > 0) this.#unreachable ??= frame.unreachableUrl;
      this.#shown.push({ url: frame.url, askedEpochMs: this.#askedEpochMs });
    });
    // Not its load event: that may be of a document which already redirects.
    this.#page.on('Page.frameStoppedLoading', ({ frameId }) => frameId === this.#frameId && this.#end());
  }

  #end(): void {
    if (this.#shown.length === 0) return;
    this.#isUnderWay = false;
    for (const settled of this.#waiting.splice(0)) settled();
  }

  /** Whether the tab is on its way to another document, or loads one. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Resolves as soon as it is not. */
  settled(): Promise<void> {
    return this.#isUnderWay ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  /** How many it showed so far. */
  get count(): number {
    return this.#shown.length;
  }

  /** All in their order. */
  list(): readonly ShownDocument[] {
    return this.#shown;
  }

  /** The first address that a redirect could not reach; undefined: each could. */
  get unreachable(): string | undefined {
    return this.#unreachable;
  }
}
