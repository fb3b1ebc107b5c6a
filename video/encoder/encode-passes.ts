import type { ProgressReporter } from '../../src/core/model/workload.ts';
import { trackCost } from './estimate.ts';
import type { AssetRequest } from './asset.ts';

type PassKind = 'encode' | 'compare';

const titles: Readonly<Record<PassKind, string>> = {
  encode: 'encoding video',
  compare: 'comparing pictures',
};

/** Before that a guess of what is left would jump (ms). */
const settledMs = 3000;

/** Progress over all that a ladder needs, each track encoded and compared, with the time that is left. */
export class EncodePasses {
  readonly #costs: Readonly<Record<PassKind, number[]>>;
  readonly #report: ProgressReporter;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  /** CPU seconds of passes that are over; what was found in the cache took no time and is not among them. */
  #done = 0;
  #left: number;

  constructor(
    { ladder, filmSeconds }: Pick<AssetRequest, 'ladder' | 'filmSeconds'>,
    { compares, report }: { readonly compares: boolean; readonly report: ProgressReporter },
    nowMs: () => number = () => performance.now(),
  ) {
    const costs = ladder.tracks.map((track) => trackCost(ladder, track, filmSeconds));
    this.#costs = {
      encode: costs.map(({ encodeCpuSeconds }) => encodeCpuSeconds),
      compare: costs.map(({ compareCpuSeconds }) => (compares ? compareCpuSeconds : 0)),
    };
    this.#left = [...this.#costs.encode, ...this.#costs.compare].reduce((sum, cost) => sum + cost, 0);
    this.#report = report;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  /** Says how far a pass is, `fraction` from 0 to 1. */
  at(kind: PassKind, track: number, fraction: number, label: string): void {
    const done = this.#done + fraction * this.#cost(kind, track);
    const left = this.#left - fraction * this.#cost(kind, track);
    const elapsedMs = this.#nowMs() - this.#startMs;
    const leftSeconds = ((elapsedMs / done) * left) / 1000;
    const isSettled = elapsedMs >= settledMs && Number.isFinite(leftSeconds);
    this.#report({
      title: titles[kind],
      fraction: done + left === 0 ? 1 : done / (done + left),
      detail: isSettled ? `${label}, about ${leftWords(leftSeconds)} left` : label,
    });
  }

  finish(kind: PassKind, track: number): void {
    this.#done += this.#cost(kind, track);
    this.#leave(kind, track);
  }

  /** Its result was there already. */
  skip(kind: PassKind, track: number): void {
    this.#leave(kind, track);
  }

  #leave(kind: PassKind, track: number): void {
    this.#left -= this.#cost(kind, track);
    this.#costs[kind][track] = 0;
  }

  #cost(kind: PassKind, track: number): number {
    return this.#costs[kind][track] ?? 0;
  }
}

function leftWords(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
