import type { Stretch } from './schedule-course.ts';

/** What begins whatever varies with time on a path. */
export interface PathStart {
  /** Unix socket that takes the line. */
  readonly socketPath: string;
  readonly line: string;
  /** Mean rate of the trace of the direction to the client, in each second from the line on; absent where its rate is constant. */
  readonly downMbps?: readonly number[];
  /** What schedules set from the line on, each way; absent where nothing is scheduled. */
  readonly schedule?: { readonly up: readonly Stretch[]; readonly down: readonly Stretch[] };
}
