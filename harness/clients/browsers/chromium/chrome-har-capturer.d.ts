declare module 'chrome-har-capturer' {
  export interface LogEvent {
    readonly method: string;
    readonly params: object;
  }
  /**
   * Resolves with a HAR 1.2.
   * @throws Error when the log lacks the first request, `Page.domContentEventFired` or `Page.loadEventFired`.
   */
  export function fromLog(url: string, log: readonly LogEvent[], options?: object): Promise<unknown>;
}
