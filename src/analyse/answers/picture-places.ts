import type { Comparison } from '../../core/model/summary.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import type { HeadlineFindings } from './headline-findings.ts';
import type { Finding } from './findings.ts';

/** Rows of the picture; more do not fit a first screen. */
const maxRows = 5;

const severityRank = ({ verdict }: Comparison): number =>
  ({ worse: 0, mixed: 1, better: 2, equivalent: 3, inconclusive: 4 })[verdict];

/** Pages by themselves where few enough, else their pool; what came out worse first. */
function rowsOf(finding: Finding, comparisons: readonly Comparison[], room: number): Comparison[] {
  const [pool] = finding.members;
  if (pool?.workload === pooledWorkload && finding.members.length === 1 && room > 1) {
    const single = comparisons.filter(
      (comparison) =>
        comparison.metric === finding.metric &&
        comparison.workloadKind === finding.kind &&
        comparison.instrumentation === pool.instrumentation &&
        comparison.baseline.arm === pool.baseline.arm &&
        comparison.candidate.arm === pool.candidate.arm &&
        (comparison.ratio !== null || comparison.difference !== null),
    );
    if (single.length > 0 && single.length <= room) return single;
  }
  return finding.members.toSorted((a, b) => severityRank(a) - severityRank(b)).slice(0, room);
}

/**
 * What the picture shows, from top to bottom: the primary metric for each page or pair, then the other metrics of users, then
 * the cost in CPU. Places in the list of comparisons.
 *
 * @param lead the finding of which the headline speaks first: it has a row
 */
export function picturePlaces(
  { users, cpu }: Pick<HeadlineFindings, 'users' | 'cpu'>,
  comparisons: readonly Comparison[],
  lead?: Finding,
): number[] {
  const [cost] = cpu;
  const room = maxRows - (cost === undefined ? 0 : 1);
  const most = ({ members }: Finding): number => Math.min(...members.map(severityRank));
  const primaries = users.filter(({ primary }) => primary).toSorted((a, b) => most(a) - most(b));
  const isOnePair = new Set(users.map(({ pair }) => pair)).size < 2;
  const ordered = [...primaries, ...(isOnePair ? users.filter(({ primary }) => !primary) : [])];
  const rows: Comparison[] = [];
  for (const [place, finding] of ordered.entries()) {
    const others = ordered.slice(place + 1).filter(({ primary }) => primary).length;
    const free = room - rows.length - others;
    if (free > 0) rows.push(...rowsOf(finding, isOnePair ? comparisons : [], free));
  }
  const isShown = lead === undefined || lead.members.some((member) => rows.includes(member));
  const named = isShown || !users.includes(lead) ? [] : rowsOf(lead, [], 1);
  const paid = cost === undefined ? [] : rowsOf(cost, comparisons, 1);
  return [...rows.slice(0, room - named.length), ...named, ...paid]
    .map((row) => comparisons.indexOf(row))
    .filter((place) => place >= 0);
}
