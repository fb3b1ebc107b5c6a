import { H2h3Error } from '../../core/model/errors.ts';
import type { PreparedWorkload, SiteRoot } from '../../core/model/workload.ts';

type Served = Pick<PreparedWorkload, 'id' | 'roots'>;

/**
 * What the one server of a run answers for each host name. A name has one answer: two workloads that want different
 * folders or programs behind it would both be measured with the content of one.
 *
 * @throws H2h3Error `usage` naming the host and both workloads
 */
export function rootsByHost(workloads: readonly Served[]): SiteRoot[] {
  const claims = new Map<string, { readonly root: SiteRoot; readonly workload: string }>();
  for (const { id, roots } of workloads) {
    for (const root of roots) {
      const claim = claims.get(root.host);
      if (claim === undefined) claims.set(root.host, { root, workload: id });
      else if (answerOf(claim.root) === answerOf(root))
        claims.set(root.host, { ...claim, root: { ...claim.root, ...needsOf(claim.root, root) } });
      else throw conflict(root.host, claim, { root, workload: id });
    }
  }
  return [...claims.values()].map(({ root, workload }) => ({ ...root, workload }));
}

/** What either workload asks for; all of the folder where one of them does. */
function needsOf({ needs: one }: SiteRoot, { needs: other }: SiteRoot): Pick<SiteRoot, 'needs'> {
  return { needs: one && other && [...new Set([...one, ...other])] };
}

/** A folder's files, or a program that answers instead of them. */
function answerOf({ directory, origin }: SiteRoot): string {
  return origin === undefined ? directory : `${directory}, answered by ${origin.command.join(' ')}`;
}

function conflict(
  host: string,
  ...claims: readonly { readonly root: SiteRoot; readonly workload: string }[]
): H2h3Error {
  const words = claims.map(({ root, workload }) => `${workload} (${answerOf(root)})`);
  return new H2h3Error('usage', `two workloads of this run want different content behind ${host}`, {
    context: { expected: 'one answer for a host name', got: words.join(' and ') },
    next: 'Measure them in runs of their own: name one of them in --workload or --sites, and then the other.',
  });
}
