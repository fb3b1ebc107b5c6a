/**
 * Controls of both sets but tab and line feed, what separates lines by another character, what turns the direction of writing, and
 * letters that nobody sees (tags): they move a cursor, rename a window, hide text or put it into another order.
 */
const steering =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Text with each such character as `\u001b`, which JSON reads back, instead of itself. Names and messages come from pages, recordings
 * and plans of anybody.
 *
 * @param keeps whether the characters from here on do no harm
 */
export function withoutSteering(text: string, keeps: (from: number) => boolean = () => false): string {
  return text.replace(steering, (character, offset: number) =>
    keeps(offset) ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
