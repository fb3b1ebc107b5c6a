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

/** The name that was most likely meant; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(typed.length / 3))
    ? nearest.name
    : undefined;
}
