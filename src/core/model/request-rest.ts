/** Times of a page's requests in ms on one clock; which one is the caller's affair. */
export interface RequestRestOptions {
  /** Called where a request is told of by an answer that has begun, but no byte has come for so long. Default 2 s. */
  readonly unreadMs?: number;
  /** A request without any answer is waited for so long after the load event. Default 5 s. */
  readonly unansweredMs?: number;
  /** Wait for every request, whatever it is. Default no. */
  readonly waitsForAll?: boolean;
}

interface UnderWay {
  readonly sinceMs: number;
  lastMs: number;
  answered: boolean;
}

/** From the third time on a page that asks the same again is polling. */
const minRepeats = 2;
const volatilePair = /([?&](_|_t|t|ts|cb|rand|rnd|nonce|time|timestamp)=)[^&\s]*|\d{10,13}|0\.\d{6,}/g;

/**
 * Whether anything is still to come of a page. Not waited for are: requests that the page repeats, after its load
 * event, for the third time and more (polls); answers that have begun and of which nothing more comes, because nothing
 * reads them or because they are streams; and requests that are not answered long after the load event.
 */
export class RequestRest {
  readonly #unreadMs: number;
  readonly #unansweredMs: number;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #asked = new Map<string, number>();
  readonly #waitsForAll: boolean;
  #loadedMs: number | null = null;
  #lastMs: number;

  constructor(nowMs: number, options: RequestRestOptions = {}) {
    this.#lastMs = nowMs;
    this.#waitsForAll = options.waitsForAll ?? false;
    this.#unreadMs = options.unreadMs ?? 2_000;
    this.#unansweredMs = options.unansweredMs ?? 5_000;
  }

  /** Something was asked for whose end is not waited for. */
  begun(nowMs: number): void {
    this.#lastMs = nowMs;
  }

  /**
   * @param key method and address; times and random numbers in it do not tell it from others
   * @param unawaited whether the page waits for no answer (a beacon)
   */
  sent(id: string, key: string, nowMs: number, unawaited = false): void {
    const steady = key.replaceAll(volatilePair, '$1');
    const times = this.#asked.get(steady) ?? 0;
    this.#asked.set(steady, times + 1);
    if (!this.#waitsForAll && this.#loadedMs !== null && (unawaited || times >= minRepeats)) return;
    this.#underWay.set(id, { sinceMs: nowMs, lastMs: nowMs, answered: false });
    this.#lastMs = nowMs;
  }

  /** Its answer has begun, or more of it came. */
  progressed(id: string, nowMs: number): void {
    const request = this.#underWay.get(id);
    if (request === undefined) return;
    request.answered = true;
    request.lastMs = nowMs;
  }

  ended(id: string, nowMs: number): void {
    if (this.#underWay.delete(id)) this.#lastMs = nowMs;
  }

  /** The load event has fired: what is asked for from now on may be a habit. */
  loaded(nowMs: number): void {
    this.#loadedMs ??= nowMs;
  }

  /** Milliseconds for which nothing that is waited for was under way; 0 while something is. */
  quietForMs(nowMs: number): number {
    let sinceMs = this.#lastMs;
    for (const request of this.#underWay.values()) {
      const restsFromMs = this.#restsFromMs(request);
      if (restsFromMs === null || nowMs < restsFromMs) return 0;
      // What is given up on was at work until its last byte.
      sinceMs = Math.max(sinceMs, request.lastMs);
    }
    return nowMs - sinceMs;
  }

  #restsFromMs({ sinceMs, lastMs, answered }: UnderWay): number | null {
    if (this.#loadedMs === null || this.#waitsForAll) return null;
    if (answered) return Math.max(this.#loadedMs, lastMs) + this.#unreadMs;
    return Math.max(this.#loadedMs, sinceMs) + this.#unansweredMs;
  }
}
