import type { SeriesIdentity } from '../../core/model/history.ts';

/** All values of one series in one run, as the history gives them. */
export interface SeriesNight extends SeriesIdentity {
  readonly night: string;
  readonly startedAt: string;
  readonly role: string;
  readonly version: string;
  readonly values: readonly number[];
  /** The block of each value; absent where that is not known. */
  readonly blocks?: readonly number[];
}
