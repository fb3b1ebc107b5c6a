import type { VersionedName } from './client-name.ts';
import { isNamed, type InstalledBrowser } from './installed-browsers.ts';
import { newestFirst } from '../tools/version-order.ts';

/**
 * What can go: of each browser everything but its `keep` newest versions and those in use.
 * @param used names of versions that something relies on, such as accepted baselines.
 */
export function chooseForPruning(
  installed: readonly InstalledBrowser[],
  keep: number,
  used: readonly VersionedName[],
): InstalledBrowser[] {
  const byBrowser = Map.groupBy(installed, ({ browser }) => browser);
  return [...byBrowser.values()].flatMap((versions) =>
    versions
      .toSorted((a, b) => newestFirst(a.version, b.version))
      .slice(keep)
      .filter((browser) => !used.some((name) => isNamed(browser, name))),
  );
}
