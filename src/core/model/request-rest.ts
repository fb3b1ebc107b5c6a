/** Times of a page's requests in ms on one clock; which one is the caller's affair. */
export interface RequestRestOptions {
  /** An answer that has begun is given up when, after the load event, nothing has come over the network for so long. Default 2 s. */
  readonly unreadMs?: number;
  /** A request without any answer, likewise. Default 5 s. */
  readonly unansweredMs?: number;
  /** Either is waited for no longer than this, whatever else comes meanwhile. Default 30 s. */
  readonly maxWaitMs?: number;
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
 * reads them or because they are streams; and requests that are not answered long after the load event. Both are given up
 * only where the network is silent: over a slow stretch of a link what the server has sent takes seconds to come.
 */
export class RequestRest {
  readonly #unreadMs: number;
  readonly #unansweredMs: number;
  readonly #maxWaitMs: number;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #asked = new Map<string, number>();
  readonly #waitsForAll: boolean;
  #loadedMs: number | null = null;
  #arrivedMs = -Infinity;
  #lastMs: number;

  constructor(nowMs: number, options: RequestRestOptions = {}) {
    this.#lastMs = nowMs;
    this.#waitsForAll = options.waitsForAll ?? false;
    this.#unreadMs = options.unreadMs ?? 2_000;
    this.#unansweredMs = options.unansweredMs ?? 5_000;
    this.#maxWaitMs = options.maxWaitMs ?? 30_000;
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

  /** Something came over the network, of whichever request. */
  arrived(nowMs: number): void {
    this.#arrivedMs = nowMs;
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
    const waitedFromMs = Math.max(this.#loadedMs, answered ? lastMs : sinceMs);
    const silentFromMs = Math.max(waitedFromMs, this.#arrivedMs);
    const patienceMs = answered ? this.#unreadMs : this.#unansweredMs;
    return Math.min(silentFromMs + patienceMs, waitedFromMs + this.#maxWaitMs);
  }
}
