/**
 * What a test of an emulated path may meet on a machine that others load: the rules that guard figures are at work then,
 * which is no fault of the run.
 */

/** Whether a trial is not valid only because the machine was late. */
export function machineWasLate(reason: string | undefined): boolean {
  return /did not keep up|did not drop/.test(reason ?? '');
}

/** Why no path could be made: its own check found, twice, that this machine cannot hold it now; null when it could. */
export function pathRefused(words: string): string | null {
  return /the path \S+ is not what it says[^\n]*/.exec(words)?.[0] ?? null;
}
