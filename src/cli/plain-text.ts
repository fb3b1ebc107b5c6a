import { withoutUserInformation } from '../model/user-information.ts';

/** What the reports for terminals themselves use: bold, faint, three colours, and their end. */
const ownColour = /^\u001b\[(?:0|1|2|39|3[345];1)m/;
const longestColourCharacters = 7;
/** Controls but line feed and tab, of both sets, and those that turn the direction of writing. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as a terminal may have it. Names and messages come from pages, recordings and plans of anybody: what would move
 * the cursor, rename the window or hide a line is shown as `\u001b` (which JSON reads back) instead of being done. No address has
 * its password there.
 */
export function plainText(text: string): string {
  return withoutUserInformation(text).replace(steering, (character, offset: number) =>
    ownColour.test(text.slice(offset, offset + longestColourCharacters))
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
