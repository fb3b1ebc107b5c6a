/** Whether `version` is the one wanted or begins with it: `153.0.0` is a 153, `15.3` is not. */
export function versionMatches(version: string, wanted: string): boolean {
  return version === wanted || version.startsWith(`${wanted}.`);
}

/** Versions before a release (`119.0.1-next.0`) are never what a plain number means. */
export const isPrerelease = (version: string): boolean => version.includes('-');

const numbersOf = (version: string): number[] => version.split(/[^\d]+/).map(Number);

/** Newer versions first; what precedes a release comes after it. */
export function newestFirst(a: string, b: string): number {
  const ofA = numbersOf(a.split('-')[0] ?? '');
  const ofB = numbersOf(b.split('-')[0] ?? '');
  for (let part = 0; part < Math.max(ofA.length, ofB.length); part++) {
    const difference = (ofB[part] ?? 0) - (ofA[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(isPrerelease(a)) - Number(isPrerelease(b)) || b.localeCompare(a, 'en', { numeric: true });
}

/** The existing versions nearest to one that does not exist, by major version, at most `count`. */
export function nearestVersions(versions: readonly string[], wanted: string, count = 4): string[] {
  const distance = (version: string): number =>
    Math.abs((numbersOf(version)[0] ?? 0) - (numbersOf(wanted)[0] ?? 0));
  return versions
    .filter((version) => !isPrerelease(version))
    .toSorted((a, b) => distance(a) - distance(b) || newestFirst(a, b))
    .slice(0, count)
    .toSorted(newestFirst);
}
