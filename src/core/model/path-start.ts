/** What begins whatever varies with time on a path. */
export interface PathStart {
  /** Unix socket that takes the line. */
  readonly socketPath: string;
  readonly line: string;
  /** Mean rate of the trace of the direction to the client, in each second from the line on; absent where its rate is constant. */
  readonly downMbps?: readonly number[];
}
