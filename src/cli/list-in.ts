/** Names of an option that takes several, between commas; undefined where it was left out. */
export const listIn = (text: string | undefined): string[] | undefined =>
  text?.split(',').map((name) => name.trim());
