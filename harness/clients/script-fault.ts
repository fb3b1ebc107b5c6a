import { hasDisplay } from '../../src/core/system/display.ts';

/**
 * What to do about a user's script that failed.
 *
 * @param unsetVariable the variable for want of which it did
 */
export function nextOfScript(unsetVariable?: string, isSeen = hasDisplay()): string {
  if (unsetVariable !== undefined) return `Set it for this command: ${unsetVariable}=… npx h2h3 …`;
  return isSeen
    ? 'Run with --headed to watch it.'
    : 'Look at the line of the script that is named; a machine with a display can watch it (--headed).';
}
