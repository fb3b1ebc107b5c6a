import { lowered } from '../../core/model/sentence-case.ts';
import { audienceNetwork } from '../../core/model/audience-network.ts';
import { factorOf, differingFactors } from '../../core/factors/registry.ts';
import { pairNames, valueName } from '../../core/factors/arm-name.ts';
import type { Names } from '../../core/model/names.ts';
import type { Comparison } from '../../core/model/summary.ts';
import type { ArmPair } from '../comparison/arm-pairs.ts';
import { cut } from '../../core/model/cut.ts';
import { beOf, changeRange, quantity, rangeText, signedPercent } from '../figures/figures.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import { factorText, ratioAmount } from '../wording/amount.ts';
import { rangeOfSites, type RangeWords } from '../wording/mean-range.ts';
import { predicateText, sidesOf, type Predicate, type VerbForm } from '../wording/predicate.ts';
import { amountOf, hasMore, spokenTime } from './felt-words.ts';
import type { Finding } from './findings.ts';
import type { HeadlineFindings } from './headline-findings.ts';
import { having } from './findings.ts';
import { inSome } from './group-phrase.ts';
import { cpuNoun, headlineWords, subjectForm, wholeWord } from '../wording/headline-words.ts';

/** Names of arms beyond this are cut in a headline. */
const maxNameCharacters = 36;
/** From here on a cost is told as a factor. */
const minCpuFactor = 1.5;

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** The candidate alone, as `HTTP/3`. */
export function candidateOf({ baseline, candidate }: ArmPair): string {
  return cut(pairNames(baseline, candidate).candidate, maxNameCharacters);
}

/** What both arms of a pair have in common, as it is called by itself: `HTTP/3`; empty where there is nothing. */
export function sharedOf({ baseline, candidate }: ArmPair): string {
  return cut(pairNames(baseline, candidate).sharedName, maxNameCharacters);
}

/** With what the candidate differs, as a place: `over HTTP/3`, `in Chromium 153`. */
export function withCandidate(pair: ArmPair): string {
  const [only, ...others] = differingFactors(pair.baseline.factors, pair.candidate.factors);
  if (only === undefined || others.length > 0) return `with ${candidateOf(pair)}`;
  return `${factorOf(only).preposition ?? 'with'} ${cut(valueName(only, pair.candidate.factors), maxNameCharacters)}`;
}

/** A predicate with its amount: `load 24 % slower`, `get 12 times the throughput`. */
function changeText(members: readonly Comparison[], predicate: Predicate, form: VerbForm): string {
  const ratios = members.flatMap(({ ratio }) => (ratio === null ? [] : [ratio]));
  if (ratios.length === members.length) return predicateText(predicate, ratioAmount(ratios), form);
  const differences = members.flatMap(({ difference, ratio }) =>
    ratio === null && difference !== null ? [Math.abs(difference)] : [],
  );
  if (differences.length < members.length) return predicateText(predicate, null, form);
  const unit = members[0]?.unit ?? '';
  const format = (value: number): string => (unit === 'ms' ? spokenTime(value) : quantity(value, unit));
  return predicateText(predicate, { text: rangeText(differences, format) }, form);
}

/** `in 2 of 3 browsers`; empty where all are meant. */
function part(some: readonly Comparison[], { members }: Finding, names: Names): string {
  return some.length === members.length ? '' : ` ${inSome(some, members, names)}`;
}

/** Names of pages beyond this are cut in a headline. */
const maxPageCharacters = 28;

/** The page that a finding is of, in quotes, where it is of one alone; null for several, and where the metric is the subject. */
function onlyPage({ kind, metric, members }: Finding, names: Names): string | null {
  const [first, ...others] = members;
  if (kind !== 'page' || first === undefined || first.workload === pooledWorkload) return null;
  if (headlineWords(metric).isMetric === true) return null;
  if (others.some(({ workload }) => workload !== first.workload)) return null;
  return `“${cut(names.workload(first.workload, kind), maxPageCharacters)}”`;
}

/** Over what a mean is one: ` on average: from 47 % faster to 4 % slower`; empty where its pages agree. */
export function meanTail(
  pools: readonly Comparison[],
  words: Pick<RangeWords, 'more' | 'less'>,
  isShort = false,
): string {
  const range = rangeOfSites(pools, words);
  if (range === '') return '';
  if (!isShort) return ` on average: ${range}`;
  const ratios = pools.flatMap(({ heterogeneity }) => heterogeneity?.range ?? []);
  return ` on average (${signedPercent(Math.min(...ratios))} to ${signedPercent(Math.max(...ratios))})`;
}

/**
 * Means over an audience whose segments disagree, where the whole interval lies beyond the margin. Its shares are
 * those of the users, so the mean says what they get together. A mean over a sample of sites says that of none.
 */
function decidedMeans(finding: Finding): readonly Comparison[] {
  return having(finding, 'mixed').filter(({ network, ratioInterval, margin }) => {
    if (network !== audienceNetwork || ratioInterval === null) return false;
    const [low, high] = ratioInterval;
    return low > 1 + margin || high < 1 / (1 + margin);
  });
}

/**
 * What changed as a clause: `Pages load 24 % slower over HTTP/3`; of one page its name and milliseconds, of pages that differ the
 * range; of a mixed finding what differs.
 *
 * @param isShort whether the range is told in signs
 */
export function changeClause(finding: Finding, place: string, names: Names, isShort = false): string {
  const words = headlineWords(finding.metric);
  const { subject, more, less } = words;
  const form = subjectForm(words);
  const where = place === '' ? '' : ` ${place}`;
  const worse = having(finding, 'worse');
  const better = having(finding, 'better');
  if (worse.length > 0 && better.length > 0) {
    const isMoreWorse = hasMore(worse[0] as Comparison);
    const text = (predicate: Predicate): string => predicateText(predicate, null, form);
    const badly = `${text(isMoreWorse ? more : less)}${where} in ${worse.length} of ${finding.members.length} cases`;
    return `${subject} ${badly} and ${text(isMoreWorse ? less : more)} in ${better.length}`;
  }
  const changes = worse.length > 0 ? worse : better;
  const told = changes.length > 0 ? changes : decidedMeans(finding);
  const [first] = told;
  if (first === undefined) return mixedClause(finding, where);
  const predicate = hasMore(first) ? more : less;
  const end = `${where}${part(told, finding, names)}${meanTail(told, sidesOf(words), isShort)}`;
  const page = onlyPage(finding, names);
  return page === null
    ? `${subject} ${changeText(told, predicate, form)}${end}`
    : `${page} ${predicateText(predicate, amountOf(told), 'one')}${end}`;
}

/** Workloads of a pool that disagree. */
function mixedClause(finding: Finding, where: string): string {
  const words = headlineWords(finding.metric);
  const { noun, subject, moreWord, lessWord, isLessFirst = false, isMetric = false } = words;
  const range = finding.members.find(({ heterogeneity }) => heterogeneity !== undefined)?.heterogeneity
    ?.range;
  const amounts = range === undefined ? '' : ` (${signedPercent(range[0])} to ${signedPercent(range[1])})`;
  const first = wholeWord(words, !isLessFirst);
  // What it is that in was said with the first.
  const second = isLessFirst ? moreWord : lessWord;
  if (isMetric)
    return `${subject} ${beOf([noun])} ${first}${where} for some and ${second} for others${amounts}`;
  return `Some ${lowered(subject)} are ${first}${where}, some ${second}${amounts}`;
}

/** A cost as it changed, with its noun and next to the word CPU. */
interface CostWords {
  /** `2.5 times the CPU time`, `12 % less CPU time`, `the same CPU time`. */
  readonly phrase: string;
  /** `2.5 times as much`, `12 % less`, `the same`. */
  readonly amount: string;
}

/** Null where some have more and some less. */
function costWords(finding: Finding, names: Names): CostWords | null {
  const noun = cpuNoun(finding.metric);
  const changed = having(finding, 'better', 'worse');
  const [first] = changed;
  if (first === undefined)
    return finding.outcome === 'equivalent' ? { phrase: `the same ${noun}`, amount: 'the same' } : null;
  const ratios = changed.flatMap(({ ratio }) => (ratio === null ? [] : [ratio]));
  if (ratios.length < changed.length || new Set(changed.map(hasMore)).size > 1) return null;
  const where = part(changed, finding, names);
  if (ratios.every((ratio) => ratio >= minCpuFactor)) {
    const times = rangeText(ratios, (ratio) => `${factorText(ratio)} times`);
    return { phrase: `${times} the ${noun}${where}`, amount: `${times} as much${where}` };
  }
  const change = `${changeRange(ratios)} ${hasMore(first) ? 'more' : 'less'}`;
  return { phrase: `${change} ${noun}${where}`, amount: `${change}${where}` };
}

/** What a cost came to next to the word CPU; null where some have more and some less. */
export const cpuAmount = (finding: Finding, names: Names): string | null =>
  costWords(finding, names)?.amount ?? null;

/** The same with its noun. */
export const cpuPhrase = (finding: Finding, names: Names): string | null =>
  costWords(finding, names)?.phrase ?? null;

/** What a pair costs in CPU, as `cpuPhrase` says it, with the finding that it is of; none where nothing is to be said of it. */
export function costsOf(
  { cpu, names }: Pick<HeadlineFindings, 'cpu' | 'names'>,
  isAsked: (finding: Finding) => boolean,
): readonly { readonly cost: Finding; readonly paid: string }[] {
  const cost = cpu.find(isAsked);
  const paid = cost === undefined ? null : cpuPhrase(cost, names);
  return cost === undefined || paid === null ? [] : [{ cost, paid }];
}
