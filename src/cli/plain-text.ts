import { withoutSteering } from '../core/model/steering-characters.ts';
import { withoutUserInformation } from '../core/model/user-information.ts';

/** What the reports for terminals themselves use: bold, faint, three colours, and their end. */
const ownColour = /^\u001b\[(?:0|1|2|39|3[345];1)m/;
const maxColourCharacters = 7;
/**
 * Text as a terminal may have it: what would steer it is shown, but for the colours of our own reports. No address has its password
 * there.
 */
export function plainText(text: string): string {
  const shown = withoutUserInformation(text);
  return withoutSteering(shown, (from) => ownColour.test(shown.slice(from, from + maxColourCharacters)));
}
