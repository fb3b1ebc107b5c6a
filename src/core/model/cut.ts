/** Of a text that is cut at the end of a word, at least this share is kept; a longer word is cut within. */
const minKept = 0.5;

/** At an end: letters and digits, and what parts a number. */
const partOfWord = /(?:[\p{L}\p{N}]|(?<=\p{N})[.,])+$/u;

/** Text of at most so many characters; what is cut ends in an ellipsis, behind a whole word or a whole part of one. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const kept = letters.slice(0, most - 1).join('');
  const rest = letters.slice(most - 1).join('');
  const isWithin = /^[\p{L}\p{N}]/u.test(rest) || (/\p{N}$/u.test(kept) && /^[.,]\p{N}/u.test(rest));
  const whole = isWithin ? kept.replace(partOfWord, '') : kept;
  const ended = whole.replace(/[^\p{L}\p{N}%)”]+$/u, '');
  return `${ended.length >= minKept * most ? ended : kept.trimEnd()}…`;
}
