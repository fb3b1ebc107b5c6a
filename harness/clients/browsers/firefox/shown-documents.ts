import type { ShownDocument } from '../../../../src/core/model/raw-trial.ts';
import type { BidiSession } from './bidi-connection.ts';

/** The documents that a tab of Firefox showed one after the other: see `ShownDocuments` of Chromium. */
export class ShownDocuments {
  /** When the browser set out for each, by the id of its navigation. */
  readonly #asked = new Map<string, number>();
  readonly #shown: ShownDocument[] = [];
  #underWay: string | undefined;
  #waiting: (() => void)[] = [];

  /** From now on each navigation of the tab is noted. */
  async start(bidi: BidiSession): Promise<void> {
    await bidi.onNavigation({
      started: (id, epochMs) => {
        this.#asked.set(id, epochMs);
        this.#underWay = id;
      },
      // Of `meta refresh` the address is known from here on only.
      committed: (id, url) => {
        this.#shown.push({ url: url.replace(/#.*$/, ''), askedEpochMs: this.#asked.get(id) ?? Date.now() });
      },
      ended: (id) => {
        if (this.#underWay !== id) return;
        this.#underWay = undefined;
        for (const settled of this.#waiting.splice(0)) settled();
      },
    });
  }

  /** Whether the tab is on its way to another document, or loads one. */
  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  /** Resolves as soon as it is not. */
  settled(): Promise<void> {
    return this.isUnderWay ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  list(): readonly ShownDocument[] {
    return this.#shown;
  }
}
