import { audienceNetwork } from '../../core/model/audience-network.ts';
import { hasReason } from '../../core/model/reasons.ts';
import type { Names } from '../../core/model/names.ts';
import type { Comparison, Verdict } from '../../core/model/summary.ts';
import { counted, kindNouns, percent } from '../figures/figures.ts';
import { rangeOfSites } from '../wording/mean-range.ts';
import { predicateText, sidesOf } from '../wording/predicate.ts';
import { amountOf, feltPhrase, feltWords, hasPluralSubject, noResultYet, openPhrase } from './felt-words.ts';

/** What several comparisons say together; `partly` where some are decided one way and others are open. */
export type Outcome = Verdict | 'mixed' | 'partly';

/** What comparisons of one metric on one network say together, as a predicate: `open 60 ms sooner`. */
export function groupPhrase(members: readonly Comparison[], outcome: Outcome, names: Names): string {
  const [first] = members as [Comparison];
  if (members.length === 1) return onePhrase(first, names);
  if (outcome === 'better' || outcome === 'worse' || outcome === 'equivalent') {
    const alike = members.filter(({ verdict }) => verdict === outcome);
    const range = meanRange(alike, names);
    if (alike.length === members.length) return `${feltPhrase(members)} ${inAll(members, names)}${range}`;
    return `${feltPhrase(alike)} ${inSome(alike, members, names)} and ${feltWords(first.metric).same} in the others${range}`;
  }
  return countsPhrase(members, names);
}

function onePhrase(comparison: Comparison, names: Names): string {
  if (comparison.verdict === 'mixed') return mixedPhrase(comparison, names);
  if (comparison.verdict !== 'inconclusive')
    return `${feltPhrase([comparison])}${meanRange([comparison], names)}`;
  if (hasReason(comparison, 'nothing-at-risk'))
    return `${noResultYet(comparison.metric)}: nothing was at risk`;
  return openPhrase(comparison) ?? `${noResultYet(comparison.metric)}: too few blocks`;
}

/** Over what a mean is one, with the pages at its ends: ` on average: from 47 % sooner (A) to 4 % later (B)`; empty where they agree. */
function meanRange(pools: readonly Comparison[], names: Names): string {
  const [first] = pools;
  if (first === undefined) return '';
  const behind = (workload: string): string => names.workload(workload, first.workloadKind);
  const range = rangeOfSites(pools, { ...sidesOf(feltWords(first.metric)), behind });
  return range === '' ? '' : ` on average: ${range}`;
}

const gainsAndLoses = (metric: string): string =>
  hasPluralSubject(metric) ? 'gain and lose' : 'gains and loses';

/** The sites at the ends, which a pool would hide: `gain and lose: from A, 12 % sooner, to B, 9 % later`. */
function mixedPhrase(comparison: Comparison, names: Names): string {
  const { heterogeneity, metric, workloadKind, network } = comparison;
  const gains = gainsAndLoses(metric);
  if (heterogeneity === undefined) return `${gains}: it depends on which`;
  const { range, lowest, highest } = heterogeneity;
  const { more, less } = feltWords(metric);
  const told = (workload: string, ratio: number): string =>
    `${names.workload(workload, workloadKind)} ${predicateText(ratio > 1 ? more : less, { text: percent(ratio - 1) }, 'one')}`;
  const ends = `(${told(lowest, range[0])}, ${told(highest, range[1])})`;
  return network === audienceNetwork
    ? `${feltPhrase([comparison])} on average, and ${gains} by segment ${ends}`
    : `${gains} by site, which the average hides ${ends}`;
}

/** What differs between comparisons of one group, as a place: `in both browsers`, `in all 5 browsers`. */
function inAll(members: readonly Comparison[], names: Names): string {
  const all = members.length === 2 ? 'both' : `all ${members.length}`;
  return `${inWords(members)} ${all} ${nounOf(members, names)}`;
}

/** `in 2 of 3 browsers`. */
export function inSome(some: readonly Comparison[], members: readonly Comparison[], names: Names): string {
  return `${inWords(members)} ${some.length} of ${members.length} ${nounOf(members, names)}`;
}

const several = (members: readonly Comparison[], key: 'client' | 'workload' | 'network'): boolean =>
  new Set(members.map((member) => member[key])).size > 1;

function inWords(members: readonly Comparison[]): string {
  if (onlyNetworksDiffer(members)) return 'over';
  return several(members, 'client') || several(members, 'network') ? 'in' : 'for';
}

/** Whether only the network differs. */
function onlyNetworksDiffer(members: readonly Comparison[]): boolean {
  return several(members, 'network') && !several(members, 'client') && !several(members, 'workload');
}

function nounOf(members: readonly Comparison[], names: Names): string {
  const differing = (['client', 'workload', 'network'] as const).filter((key) => several(members, key));
  if (differing.length > 1) return 'cases';
  if (onlyNetworksDiffer(members)) return 'networks';
  if (several(members, 'client')) {
    const products = new Set(members.map(({ client }) => names.product(client)));
    const [only] = products;
    if (products.size === 1) return `versions of ${only}`;
    // Programs of the command line transfer files alone.
    const isOfFiles = members.some(({ workloadKind }) => ['download', 'upload'].includes(workloadKind));
    return isOfFiles ? 'clients' : 'browsers';
  }
  const [first] = members as [Comparison];
  return several(members, 'workload') ? `${kindNouns[first.workloadKind]}s` : 'cases';
}

const tellOrder: readonly Verdict[] = ['worse', 'mixed', 'better', 'equivalent', 'inconclusive'];

/** Counts by outcome, each with its range: `are better for 3 of 8 pages (4 to 12 %), worse for 1; 4 are open`. */
function countsPhrase(members: readonly Comparison[], names: Names): string {
  const [first] = members as [Comparison];
  if (members.every(({ verdict }) => verdict === 'inconclusive'))
    return `${noResultYet(first.metric)} ${inAll(members, names)}`;
  if (members.every(({ verdict }) => verdict === 'mixed'))
    return `${gainsAndLoses(first.metric)} by site ${inAll(members, names)}`;
  const parts = tellOrder.flatMap((verdict) => {
    const own = members.filter((member) => member.verdict === verdict);
    if (own.length === 0) return [];
    if (verdict === 'inconclusive') return [`${own.length} not decided`];
    const which =
      own.length <= 2 ? ` (${own.map((member) => whichOne(member, members, names)).join(', ')})` : '';
    if (verdict === 'equivalent') return [`no different in ${own.length}${which}`];
    if (verdict === 'mixed') return [`differing by site in ${own.length}${which}`];
    return [`${verdict} in ${own.length} by ${amountOf(own).text}${which}`];
  });
  return `${hasPluralSubject(first.metric) ? 'differ' : 'differs'}: of ${counted(members.length, 'case')} ${parts.join(', ')}`;
}

function whichOne(comparison: Comparison, members: readonly Comparison[], names: Names): string {
  return [
    several(members, 'workload') ? names.workload(comparison.workload, comparison.workloadKind) : '',
    several(members, 'client') ? names.client(comparison.client) : '',
    several(members, 'network') ? names.shortNetwork(comparison.network) : '',
  ]
    .filter(Boolean)
    .join(', ');
}
