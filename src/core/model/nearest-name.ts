interface EditDistance {
  /** Number of single-character edits between two words, a swap of neighbours being one (optimal string alignment). */
  readonly whole: number;
  /** The same to whichever beginning of the second word is nearest. */
  readonly beginning: number;
}

function editDistance(a: string, b: string): EditDistance {
  const typed = [...a];
  const name = [...b];
  let before: readonly number[] = [];
  let row: readonly number[] = [0, ...name.map((_, j) => j + 1)];
  for (const [i, letter] of typed.entries()) {
    const next = [i + 1];
    for (const [j, other] of name.entries()) {
      const swapped = i > 0 && j > 0 && letter === name[j - 1] && typed[i - 1] === other;
      next.push(
        Math.min(
          (next[j] ?? 0) + 1,
          (row[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + (letter === other ? 0 : 1),
          swapped ? (before[j - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return { whole: row[name.length] ?? 0, beginning: Math.min(...row) };
}

/** A name as long as this is no typing mistake; the distance takes time by the product of both lengths. */
const maxNameCharacters = 100;

/** The names with their distances from what was typed; none where that is far too long. */
function measured(typed: string, names: readonly string[]): (EditDistance & { readonly name: string })[] {
  if (typed.length > maxNameCharacters) return [];
  const wanted = typed.toLowerCase();
  return names
    .filter(({ length }) => length <= maxNameCharacters)
    .map((name) => ({ name, ...editDistance(wanted, name.toLowerCase()) }));
}

/** Shorter beginnings are those of too many names. */
const minBeginningCharacters = 4;

/** The name that was most likely meant, whole or by its beginning; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const all = measured(typed, names);
  const near = (limit: number, distance: (distance: EditDistance) => number): string | undefined =>
    all
      .filter((name) => distance(name) <= limit)
      .sort((a, b) => distance(a) - distance(b) || a.whole - b.whole)
      .at(0)?.name;
  const whole = near(Math.max(1, Math.floor(typed.length / 3)), (distance) => distance.whole);
  if (whole !== undefined || typed.length < minBeginningCharacters) return whole;
  return near(Math.floor(typed.length / 6), (distance) => distance.beginning);
}

/** Three names to show what there is, first those that begin most like what was typed: names are often typed in part. */
export function similarNames(typed: string, names: readonly string[]): string[] {
  const near = measured(typed, names)
    .sort((a, b) => a.beginning - b.beginning || a.whole - b.whole)
    .map(({ name }) => name);
  return (near.length > 0 ? near : names).slice(0, 3);
}

/** "Did you mean NAME?" where a name is near, and what else there is to say behind it. */
export function didYouMean(typed: string, names: readonly string[], otherwise = ''): string {
  const nearest = nearestName(typed, names);
  return [nearest === undefined ? '' : `Did you mean ${nearest}?`, otherwise].filter(Boolean).join(' ');
}
