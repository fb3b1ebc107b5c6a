/** A next step of so many times what the run took is far more than the user gave it … */
const farFactor = 3;
/** … unless it takes no longer than this. */
const shortMinutes = 10;

/**
 * What costs less than a next step that takes far longer than this run did; undefined where it does not.
 *
 * @param maxMinutes of the next step; null where it is not known
 * @param spentMinutes that this run took
 * @param several what the next run could have fewer of, such as `pages`; empty where it resumes this one as it is
 */
export function cheaperWords(
  maxMinutes: number | null,
  spentMinutes: number | null,
  several: readonly string[],
): string | undefined {
  if (maxMinutes === null || spentMinutes === null) return undefined;
  if (maxMinutes <= shortMinutes || maxMinutes <= farFactor * spentMinutes) return undefined;
  const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(several);
  const fewer = several.length === 0 ? '' : `fewer ${listed}, or `;
  const budget = `--budget ${Math.max(2, Math.ceil(2 * spentMinutes))}m`;
  return `That is far longer than this run took. Cheaper: ${fewer}${budget}. What does not fit is measured later by run --resume.`;
}
