/** Follows the name of a page on which a script's journey begins. */
const suffix = '@journey';

/** Name of the page on which the journey begins; undefined for what is no journey. */
export function pageOfJourney(name: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** Name of the journey that begins at the page of this name. */
export function journeyFrom(page: string): string {
  return page + suffix;
}
