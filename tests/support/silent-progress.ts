import type { Progress } from '../../src/app/app-context.ts';

/** Progress that nobody watches. */
export const silent: Progress = {
  say: () => undefined,
  show: () => undefined,
  clear: () => undefined,
  reporter: () => undefined,
};
