import type { ProbeSession } from './probe.ts';

/** Reads at the start, at every interval, and at the stop. */
export function atIntervals(read: () => void, intervalMs: number): Required<Omit<ProbeSession, 'teardown'>> {
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      read();
      timer = setInterval(read, intervalMs);
    },
    stop: () => {
      clearInterval(timer);
      read();
    },
  };
}
