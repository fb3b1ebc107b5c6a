/** With a capital first letter. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first letter small, but for names such as `QoE` and `CPU`. */
export const lowered = (text: string): string =>
  /^\S\p{Ll}*\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
