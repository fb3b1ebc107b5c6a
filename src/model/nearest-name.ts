/** Number of single-character edits between two words (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Nobody slips on a name as long as this; the distance takes time by the product of both lengths. */
const longestNameCharacters = 100;

/** The names nearest to what was typed, the nearest first, with their distances. */
function ranked(
  typed: string,
  names: readonly string[],
): { readonly name: string; readonly distance: number }[] {
  if (typed.length > longestNameCharacters) return [];
  const wanted = typed.toLowerCase();
  return names
    .filter(({ length }) => length <= longestNameCharacters)
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
}

/** The name that was most likely meant; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const [nearest] = ranked(typed, names);
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(typed.length / 3))
    ? nearest.name
    : undefined;
}

/** Three names to show what there is, the nearest to what was typed before the others. */
export function similarNames(typed: string, names: readonly string[]): string[] {
  const near = ranked(typed, names).map(({ name }) => name);
  return (near.length > 0 ? near : names).slice(0, 3);
}

/** "Did you mean NAME?" where a name is near, and what else there is to say behind it. */
export function didYouMean(typed: string, names: readonly string[], otherwise = ''): string {
  const nearest = nearestName(typed, names);
  return [nearest === undefined ? '' : `Did you mean ${nearest}?`, otherwise].filter(Boolean).join(' ');
}
