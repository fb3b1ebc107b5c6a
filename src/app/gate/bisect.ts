import { parseVersionedName } from '../../../harness/clients/client-name.ts';
import { browserProviders } from '../../../harness/clients/browsers/providers/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { isPrerelease, newestFirst } from '../../../harness/tools/version-order.ts';
import { availableVersions } from '../../../harness/tools/versions/ensure-version.ts';
import { productOf } from '../../../harness/tools/versions/program-name.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Gate } from '../../core/model/gate.ts';
import { exactClient, programOf } from '../plan/exact-client.ts';

/** What a gate against the baseline says of a version. */
export type JudgeVersion = (name: string) => Promise<Gate['outcome']>;

export interface Bisected {
  /** The newest version that passed, and the oldest that is worse. */
  readonly good: string;
  readonly bad: string;
  /** The version between them that could not be decided; undefined where the two are neighbours. */
  readonly open?: string;
}

/**
 * Halves the versions between a baseline and a candidate that is worse, until two neighbours are left or one cannot be
 * decided. Every version is judged against the same baseline.
 *
 * @param versions oldest first, the baseline at the beginning, the candidate at the end
 */
export async function bisect(versions: readonly string[], judge: JudgeVersion): Promise<Bisected> {
  let good = 0;
  let bad = versions.length - 1;
  const named = (index: number): string => versions[index] ?? '';
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const outcome = await judge(named(middle));
    if (outcome === 'worse') bad = middle;
    else if (outcome === 'passed') good = middle;
    else return { good: named(good), bad: named(bad), open: named(middle) };
  }
  return { good: named(good), bad: named(bad) };
}

async function offered(name: string, setup: SetupContext): Promise<readonly string[]> {
  const program = programOf(name);
  if (program !== undefined) {
    const { versions } = await availableVersions(program, setup);
    return versions.map(({ version }) => version);
  }
  const browser = parseVersionedName(name)?.browser;
  const provider = browserProviders.find(
    ({ browsers, download }) =>
      browser !== undefined && browsers.includes(browser) && download?.available !== undefined,
  );
  return (await provider?.download?.available?.(setup)) ?? [];
}

/**
 * The versions that can be had from the baseline to the candidate, both included, oldest first and by their exact names.
 *
 * @throws H2h3Error `usage` for names that are not two versions of one program, the older one first
 */
export async function versionsBetween(
  baseline: string,
  candidate: string,
  setup: SetupContext,
  isElsewhere = false,
): Promise<string[]> {
  const product = productOf(baseline);
  if (product !== productOf(candidate) || !baseline.includes('@') || !candidate.includes('@'))
    throw new H2h3Error('usage', `there are no versions between ${baseline} and ${candidate}`, {
      next: 'Name two versions of one program, such as caddy@2.10 and caddy@2.11.',
    });
  const exact = (name: string): Promise<string> => exactClient(name, true, setup, isElsewhere);
  const ends = [await exact(baseline), await exact(candidate)];
  const [oldest = '', newest = ''] = ends.map((name) => name.slice(product.length + 1));
  if (newestFirst(oldest, newest) <= 0)
    throw new H2h3Error('usage', `${candidate} is not newer than ${baseline}`, {
      next: 'Name the older version as the baseline.',
    });
  const between = (await offered(baseline, setup)).filter(
    (version) =>
      !isPrerelease(version) && newestFirst(version, oldest) < 0 && newestFirst(version, newest) > 0,
  );
  return [oldest, ...between.toSorted((a, b) => newestFirst(b, a)), newest].map(
    (version) => `${product}@${version}`,
  );
}
