import type { Progress } from '../app-context.ts';

/** How far a call is. */
export type ProgressEvent =
  /** A line that stays: what was measured, a warning. */
  | { readonly type: 'line'; readonly text: string }
  /** What is under way; the next one takes its place. */
  | { readonly type: 'status'; readonly text: string }
  /** A step of set-up or encoding; `fraction` from 0 to 1 where it is known. */
  | { readonly type: 'step'; readonly title: string; readonly fraction?: number; readonly detail?: string };

/** Progress of a use case as events. */
export function progressTo(listener: (event: ProgressEvent) => void): Progress {
  return {
    say: (text) => listener({ type: 'line', text }),
    show: (text) => listener({ type: 'status', text }),
    clear: () => undefined,
    reporter: (step) => listener({ type: 'step', ...step }),
  };
}
