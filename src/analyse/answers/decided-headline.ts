import { lowered, sentenceCase } from '../../core/model/sentence-case.ts';
import { maxHeadlineCharacters } from '../../core/model/first-screen.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { pairNames } from '../../core/factors/arm-name.ts';
import { cut } from '../../core/model/cut.ts';
import { minBlocksFor } from '../comparison/interim-levels.ts';
import { rareEventClause } from '../wording/rare-events.ts';
import { be, beOf, changeRange, counted, percent, rangeText } from '../figures/figures.ts';
import {
  candidateOf,
  changeClause,
  costsOf,
  cpuPhrase,
  listed,
  meanTail,
  sharedOf,
  withCandidate,
} from './clauses.ts';
import type { Finding } from './findings.ts';
import { changed, having, isOpen } from './findings.ts';
import { inSome } from './group-phrase.ts';
import type { HeadlineFindings, Sentence } from './headline-findings.ts';
import { nounsOf } from './headline-findings.ts';
import { untestedHeadlines } from './untested.ts';
import { cpuNoun, headlineWords, wholeWord } from '../wording/headline-words.ts';
import { largeFactors, ratioAmount } from '../wording/amount.ts';
import { sidesOf } from '../wording/predicate.ts';

/** Blocks from which on all of one direction are worth a sentence. */
const minAlike = 3;
const maxNouns = 3;
/** What two arms share is cut beyond this in a headline. */
const maxPlaceCharacters = 36;

/** What stands behind a clause about a pair, the protocol first: `over HTTP/3 in Chromium 153`, `over HTTP/3 with an outage of 2 s after 1 s`. */
function pairWords({ pair }: Finding): string {
  const { baseline, candidate } = pair;
  const { shared } = pairNames(baseline, candidate);
  const own = withCandidate(pair);
  const comparesProtocols = baseline.factors.protocol !== candidate.factors.protocol;
  return (comparesProtocols ? [own, shared] : [shared, own]).filter(Boolean).join(' ');
}

/** Worse before mixed before better; within these as they come. */
function severityRank(finding: Finding): number {
  if (having(finding, 'worse').length > 0) return 0;
  return having(finding, 'mixed').length > 0 ? 1 : 2;
}

/** What the plan asks first, then what is worse. */
const weight = (finding: Finding): number => (finding.primary ? 0 : 3) + severityRank(finding);

/** A sentence behind a prefix; one that begins with the name of an arm keeps it as it is. */
function behind(prefix: string, { text, beginsWithArm }: Sentence): string {
  const end = text.endsWith('…') ? '' : '.';
  return `${prefix}${prefix === '' || beginsWithArm === true ? text : lowered(text)}${end}`;
}

/** The first that fits with its full stop; the last is cut. */
export function fitting(candidates: readonly Sentence[], prefix = ''): Sentence {
  const whole = candidates.map((told) => ({ text: behind(prefix, told), of: told.of }));
  const [first] = whole.filter(({ text }) => [...text].length <= maxHeadlineCharacters);
  const last = whole.at(-1) ?? { text: '', of: [] };
  return first ?? { ...last, text: cut(last.text, maxHeadlineCharacters) };
}

/** Pairs whose arms share something, such as the protocol: the same step in two versions of one comparison. */
function otherPairs(first: Finding, { users }: HeadlineFindings): Sentence[] {
  const rest = users.filter(
    (finding) =>
      finding.pair !== first.pair && finding.metric === first.metric && finding.kind === first.kind,
  );
  const [only] = rest;
  if (only === undefined) return [];
  // What all pairs share tells none of them apart.
  const shared = sharedOf(only.pair);
  const name = shared === '' || shared === sharedOf(first.pair) ? candidateOf(only.pair) : shared;
  const state = (finding: Finding): string => {
    if (finding.outcome === 'equivalent') return 'unchanged';
    if (!changed(finding)) return 'not decided';
    return having(finding, 'worse').length > 0 ? 'worse too' : 'better';
  };
  if (rest.length === 1) {
    const amount = sameAmount(first, only);
    const place = name === shared ? pairNames(only.pair.baseline, only.pair.candidate).shared : '';
    const text =
      amount === null
        ? `${name} ${be(1)} ${state(only)}`
        : `${amount} ${place === '' ? withCandidate(only.pair) : cut(place, maxPlaceCharacters)}`;
    return [{ text, of: [only] }];
  }
  const [alike, ...unlike] = new Set(rest.map(state));
  return alike !== undefined && unlike.length === 0
    ? [{ text: `${rest.length} others ${be(rest.length)} ${alike}`, of: rest }]
    : [];
}

/** By how much a second pair changed where it changed as the first did, such as `14 %`; null where that takes more words. */
function sameAmount(first: Finding, second: Finding): string | null {
  const changes = (['worse', 'better'] as const).filter((verdict) =>
    [first, second].every((finding) => having(finding, verdict).length === finding.members.length),
  );
  const ratios = [first, second].map(ratiosOf);
  const isPlain = ratios.every((those) => those !== null && largeFactors(those) === null);
  return changes.length === 1 && isPlain ? changeRange(ratios[1] ?? []) : null;
}

/** Of every member; null where one is not told as a ratio. */
function ratiosOf({ members }: Finding): number[] | null {
  const ratios = members.flatMap(({ ratio }) => ratio ?? []);
  return ratios.length === members.length ? ratios : null;
}

function changeHeadlines(changes: readonly Finding[], findings: HeadlineFindings): Sentence[] {
  const { names } = findings;
  const [first] = changes;
  if (first === undefined) return [];
  const base = changeClause(first, pairWords(first), names);
  const short = changeClause(first, withCandidate(first.pair), names);
  const [others] = otherPairs(first, findings);
  const costs = costsOf(findings, ({ pair, kind }) => pair === first.pair && kind === first.kind);
  const second = changes.find((finding) => finding.kind !== first.kind && finding.pair === first.pair);
  const both =
    second === undefined
      ? []
      : [
          {
            text: `${changeClause(first, '', names)}, ${lowered(changeClause(second, pairWords(first), names))}`,
            of: [first, second],
          },
        ];
  return [
    ...both,
    ...(others === undefined
      ? []
      : [base, short].map((text) => ({ text: `${text}, ${others.text}`, of: [first, ...others.of] }))),
    ...costs
      .filter(({ cost }) => changed(cost))
      .map(({ cost, paid }) => ({ text: `${base}, at ${paid}`, of: [first, cost] })),
    { text: base, of: [first] },
    { text: short, of: [first] },
    { text: changeClause(first, '', names), of: [first] },
    { text: changeClause(first, '', names, true), of: [first] },
  ];
}

/** Whether any site of a pool lies beyond the margin by its estimate. */
function isWiderThanMargin({ heterogeneity, margin }: Comparison): boolean {
  return heterogeneity?.range.some((ratio) => Math.abs(Math.log(ratio)) > Math.log1p(margin)) === true;
}

function sameHeadlines(same: readonly Finding[], findings: HeadlineFindings): Sentence[] {
  const [first] = same;
  if (first === undefined) return [];
  const alike = same.filter((finding) => finding.pair === first.pair);
  const place = pairWords(first);
  const shown = alike.filter((finding) =>
    nounsOf(alike).slice(0, maxNouns).includes(headlineWords(finding.metric).noun),
  );
  const told = (some: readonly Finding[], where: string): Sentence => ({
    text: `Same ${listed(nounsOf(some))} ${where}`,
    of: some,
  });
  // A mean that is the same may be one of pages that gain and lose by more than matters.
  const range = meanTail(first.members.filter(isWiderThanMargin), sidesOf(headlineWords(first.metric)));
  if (range !== '')
    return [place, withCandidate(first.pair)].map((where) => ({
      text: `${told([first], where).text}${range}`,
      of: [first],
    }));
  return [
    ...costsOf(findings, ({ pair }) => pair === first.pair).flatMap(({ cost, paid }) =>
      [shown, shown.slice(0, 1)].map((some) => ({
        text: `${told(some, place).text}, at ${paid}`,
        of: [...some, cost],
      })),
    ),
    told(shown, place),
    told([first], withCandidate(first.pair)),
  ];
}

/** Where some places are decided as equal and the others not at all. */
function partlySameHeadlines([first]: readonly Finding[], { names }: HeadlineFindings): Sentence[] {
  if (first === undefined) return [];
  const equal = inSome(having(first, 'equivalent'), first.members, names);
  const noun = headlineWords(first.metric).noun;
  return [
    { text: `Same ${noun} ${pairWords(first)} ${equal}, not decided in the others`, of: [first] },
    { text: `Same ${noun} ${equal}, not decided in the others`, of: [first] },
  ];
}

/** Where only the cost is decided. */
function costHeadlines(findings: HeadlineFindings): Sentence[] {
  const { users, names } = findings;
  return costsOf(findings, (finding) => cpuPhrase(finding, names) !== null).flatMap(({ cost, paid }) => {
    const text = `${candidateOf(cost.pair)} takes ${paid}`;
    return butOpen(
      { text, of: [cost], beginsWithArm: true },
      users.find(({ pair }) => pair === cost.pair),
    );
  });
}

/** The same, with what users get where that is not decided. */
function butOpen(told: Sentence, open: Finding | undefined): Sentence[] {
  if (open === undefined) return [told];
  const { noun } = headlineWords(open.metric);
  const text = `${told.text}, but ${noun} ${beOf([noun])} not decided`;
  return [{ ...told, text, of: [...told.of, open] }, told];
}

function otherHeadlines({ others, users, names }: HeadlineFindings): Sentence[] {
  const [first] = others;
  if (first === undefined) return [];
  return [
    ...butOpen({ text: changeClause(first, pairWords(first), names), of: [first] }, users[0]),
    { text: changeClause(first, '', names), of: [first] },
  ];
}

/** In how many blocks the candidate had more and less of a metric. */
function directions({ values }: Comparison): { more: number; less: number; all: number } {
  const pairs = values.flatMap(([, a, b]) => (a === null || b === null ? [] : [b - a]));
  return {
    more: pairs.filter((change) => change > 0).length,
    less: pairs.filter((change) => change < 0).length,
    all: pairs.length,
  };
}

/** CPU that went one way in every block although nothing is decided of it, as a sentence; empty where it did not. */
export function cpuInAllBlocks(finding: Finding | undefined): string {
  const [only, ...others] = finding?.members ?? [];
  if (finding === undefined || only === undefined || others.length > 0) return '';
  if (finding.outcome !== 'inconclusive' || only.ratio === null) return '';
  const { more, less, all } = directions(only);
  if (all < minAlike || (more < all && less < all)) return '';
  const noun = cpuNoun(finding.metric);
  const amount = percent(only.ratio - 1);
  const word = only.ratio > 1 ? 'higher' : 'lower';
  return `${sentenceCase(noun)} was ${word} in all ${counted(all, 'block')} (${amount}), not decided yet.`;
}

/** Every block of one direction: `HTTP/3 was slower in all 6 blocks (28 to 88 %), not decided yet`. */
function alikeHeadlines(finding: Finding): Sentence[] {
  const [only] = finding.members;
  if (only === undefined || finding.members.length > 1) return [];
  const { more, less, all } = directions(only);
  if (all < minAlike || (more < all && less < all)) return [];
  const interval = only.ratio === null ? null : only.ratioInterval;
  const amounts = (interval ?? []).map((end) => Math.abs(end - 1));
  const oneSided = interval !== null && interval.every((end) => end > 1 === more > 0);
  const range = oneSided ? ` (${rangeText(amounts, percent)})` : '';
  const word = wholeWord(headlineWords(finding.metric), more > 0);
  const text = `${candidateOf(finding.pair)} was ${word} in all ${counted(all, 'block')}`;
  return [
    { text: `${text}${range}, not decided yet`, of: [finding], beginsWithArm: true },
    { text: `${text}, not decided yet`, of: [finding], beginsWithArm: true },
  ];
}

/** What was seen of rare events in the one place of which they are not decided; null for other metrics. */
export function rareEventsOf({ pair, members }: Finding): string | null {
  const [only, ...others] = members;
  if (only?.rareEvents === undefined || others.length > 0) return null;
  return rareEventClause(only.rareEvents, pairNames(pair.baseline, pair.candidate));
}

function openHeadlines({ users }: HeadlineFindings): Sentence[] {
  const [first] = users;
  if (first === undefined) return [];
  const blocks = Math.max(0, ...first.members.map((member) => member.blocks));
  const fewest = Math.min(...first.members.map(({ test }) => minBlocksFor(test)));
  if (blocks < fewest)
    return [{ text: `No result yet: ${blocks} of the ${fewest} blocks it needs at least`, of: [first] }];
  const seen = rareEventsOf(first);
  if (seen !== null) return [{ text: seen, of: [first] }];
  const noun = headlineWords(first.metric).noun;
  const after = `${noun} ${beOf([noun])} not decided after ${counted(blocks, 'block')}`;
  return [
    ...alikeHeadlines(first),
    { text: `${after}: ${candidateOf(first.pair)} ${intervalWords(first)}`, of: [first] },
    { text: after, of: [first] },
  ];
}

/** `12 % faster to 9 % slower`: where an effect that is not decided may lie. */
function intervalWords({ metric, members }: Finding): string {
  const { moreWord, lessWord } = headlineWords(metric);
  const ends = members.flatMap(({ ratio, ratioInterval }) =>
    ratio === null || ratioInterval === null ? [] : ratioInterval,
  );
  if (ends.length === 0) return 'may be either';
  const word = (end: number): string => `${percent(end - 1)} ${end > 1 ? moreWord : lessWord}`;
  return `${word(Math.min(...ends))} to ${word(Math.max(...ends))}`;
}

/** `, by 8 to 14 %` where all changed to one side; empty where that takes more words. */
function byAmount(findings: readonly Finding[]): string {
  const ratios = findings.flatMap((finding) => ratiosOf(finding) ?? NaN);
  const isOneWay = ratios.every((ratio) => ratio > 1) || ratios.every((ratio) => ratio < 1);
  return isOneWay && findings.every(changed) ? `, by ${ratioAmount(ratios).text}` : '';
}

/** More pairs than two are counted by their primary metric. */
function manyPairs({ users, names }: HeadlineFindings): Sentence[] {
  const groups = [...Map.groupBy(users, ({ kind, metric }) => `${kind} ${metric}`).values()];
  // What the plan asks, decided or not: of another metric alone nothing was confirmed.
  const asked = groups.filter((some) => some.some(({ primary }) => primary));
  const group = asked.find((some) => !some.every(isOpen)) ?? asked[0] ?? groups[0] ?? [];
  const own = group.toSorted((a, b) => severityRank(a) - severityRank(b));
  const [first] = own;
  if (first === undefined) return [];
  if (new Set(own.map(({ pair }) => pair)).size <= 2) return [];
  const counts = [
    ['worse', own.filter((finding) => having(finding, 'worse').length > 0)],
    ['better', own.filter((finding) => changed(finding) && having(finding, 'worse').length === 0)],
    ['the same', own.filter(({ outcome }) => outcome === 'equivalent')],
    ['not decided', own.filter((finding) => !changed(finding) && finding.outcome !== 'equivalent')],
  ] as const;
  const found = counts.filter(([, some]) => some.length > 0);
  const all = counted(own.length, 'comparison');
  const { noun } = headlineWords(first.metric);
  const amount = found.length === 1 ? byAmount(own) : '';
  const textOf = (whole: string): string => {
    const places = found.map(([word, some], place) => {
      if (some.length === own.length)
        return `${word} in ${word === 'not decided' ? 'any of' : 'all'} ${whole}`;
      return place === 0 ? `${word} in ${some.length} of ${whole}` : `${word} in ${some.length}`;
    });
    return `${noun} ${beOf([noun])} ${places.join(', ')}${amount}`;
  };
  const text = textOf(all);
  if (amount !== '') return [text, textOf(String(own.length))].map((told) => ({ text: told, of: own }));
  if (!changed(first)) return [{ text, of: own }];
  const others = `${own.length - 1} others: ${counts
    .map(([word, some]) => [word, some.filter((finding) => finding !== first).length] as const)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ')}`;
  return [
    { text: `${changeClause(first, withCandidate(first.pair), names)}, ${others}`, of: own },
    { text, of: own },
  ];
}

/** What is decided for users, then what it costs, then what else is decided; only where nothing is, what is not. */
export function findingsHeadline(findings: HeadlineFindings): Sentence[] {
  const { users } = findings;
  const changes = users.filter(changed).toSorted((a, b) => weight(a) - weight(b));
  const same = users.filter(({ outcome }) => outcome === 'equivalent');
  const partlySame = users.filter((finding) => !changed(finding) && having(finding, 'equivalent').length > 0);
  const ways = [
    (): Sentence[] => manyPairs(findings),
    (): Sentence[] => changeHeadlines(changes, findings),
    (): Sentence[] => untestedHeadlines(findings),
    (): Sentence[] => sameHeadlines(same, findings),
    (): Sentence[] => partlySameHeadlines(partlySame, findings),
    (): Sentence[] => costHeadlines(findings),
    (): Sentence[] => otherHeadlines(findings),
    (): Sentence[] => openHeadlines(findings),
  ];
  for (const way of ways) {
    const told = way();
    if (told.length > 0) return told;
  }
  return [];
}
