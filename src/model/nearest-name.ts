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

/** What an error says to do next about a name that nothing has: the nearest known name as a question, then `hint`. */
export function didYouMean(typed: string, names: readonly string[], hint = ''): string {
  const nearest = nearestName(typed, names);
  return [
    ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]),
    ...(hint === '' ? [] : [hint]),
  ].join(' ');
}

/** The name that was most likely meant; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > longestNameCharacters) return undefined;
  const wanted = typed.toLowerCase();
  const [nearest] = names
    .filter(({ length }) => length <= longestNameCharacters)
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(typed.length / 3))
    ? nearest.name
    : undefined;
}
