/**
 * The reaper's deputy: does the reaper's work where that was killed together with the run. It waits until both are gone,
 * so it finds nothing left where the reaper did its work.
 */
await import('./reaper.ts');
export {};
