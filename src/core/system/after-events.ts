/**
 * Calls `act` after so long, and after what has arrived by then was taken. Where a process had no CPU for a time, a limit and the
 * answer that it is for are due at once, and Node comes to its timers first.
 *
 * @returns what takes the call back
 */
export function afterEvents(limitMs: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (immediate = setImmediate(act)), limitMs);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Waits for so long, until what has arrived by then was taken (`afterEvents`). */
export function sleepAfterEvents(ms: number): Promise<void> {
  return new Promise((resolve) => void afterEvents(ms, resolve));
}
