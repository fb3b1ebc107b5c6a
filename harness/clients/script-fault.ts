import { hasDisplay } from '../../src/system/display.ts';

/** What to do about a user's script that failed for this reason. */
export function nextOfScript(why: string, isSeen = hasDisplay()): string {
  const name = /the variable (\S+) is not set/.exec(why)?.[1];
  if (name !== undefined) return `Set it for this command: ${name}=… npx h2h3 …`;
  return isSeen
    ? 'Run with --headed to watch it.'
    : 'Look at the line of the script that is named; a machine with a display can watch it (--headed).';
}
