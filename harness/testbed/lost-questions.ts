import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';

/** A question of one visit of a client. */
export interface VisitQuestion {
  /** Of the block: the same for all its arms. */
  readonly seed: number;
  /** Which trial asks. */
  readonly visit: string;
  readonly host: string;
  /** Such as `AAAA`. */
  readonly type: string;
}

/**
 * Which questions a resolver leaves without an answer. The seed, the name, the type, and how often the visit has asked for both
 * decide. So every arm of a block loses the same questions, and one that is asked again may be answered.
 */
export class LostQuestions {
  readonly #percent: number;
  readonly #asked = new Map<string, number>();

  /** @param percent of the questions that are lost, 0 to 100 */
  constructor(percent: number) {
    this.#percent = percent;
  }

  /** Whether the next question of this kind is lost. */
  next({ seed, visit, host, type }: VisitQuestion): boolean {
    const key = `${visit} ${host} ${type}`;
    const before = this.#asked.get(key) ?? 0;
    this.#asked.set(key, before + 1);
    return seededRandom(deriveSeed(seed, 'resolver', host, type, before)).next() * 100 < this.#percent;
  }
}
