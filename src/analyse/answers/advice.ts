import { lowered, sentenceCase } from '../../core/model/sentence-case.ts';
import type { AnswerAction } from '../../core/model/answer.ts';
import type { Arm } from '../../core/model/plan.ts';
import { hasReason } from '../../core/model/reasons.ts';
import { percentDigits } from '../../core/model/rounding.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { comparedNames } from '../../core/factors/arm-name.ts';
import { beOf } from '../figures/figures.ts';
import { unriskedSentence } from './untested.ts';
import { headlineWords } from '../wording/headline-words.ts';

const audiences = {
  page: 'these pages',
  journey: 'this journey',
  video: 'this video',
  download: 'these downloads',
  upload: 'these uploads',
  messages: 'these messages',
} as const;

export interface AdviceFacts {
  /** The most telling comparison of the answer. */
  readonly comparison: Comparison;
  readonly arms: readonly Arm[];
  /** Whether a part of the answer is decided. */
  readonly partly: boolean;
  readonly next: NextRun;
}

/** The measurement that may decide what is open. */
export interface NextRun {
  /** What it takes on this machine, minutes from and to; null where none is advised or it is not known. */
  readonly minutes: readonly [number, number] | null;
  readonly command: string | null;
  /** What costs less, where that takes far longer than the run did. */
  readonly cheaper?: string | undefined;
  /** Why something of the instrument must be measured first, which more blocks do not replace; null where nothing must. */
  readonly unmeasured: string | null;
  /** Of the comparisons: those of which no sensible number of blocks is known to decide them; null where there is none. */
  readonly outOfReach: OutOfReach | null;
}

export interface OutOfReach {
  readonly comparisons: number;
  /** More than so many blocks may be needed. */
  readonly blocks: number;
  /** What so many take on this machine; null where it is not known. */
  readonly minutes: number | null;
  /** Whether no other comparison of the answer is open. */
  readonly all: boolean;
}

const longMinutes = 120;

/** Time that nobody expects of a command is said before it. */
function inHours(minutes: number | null): string {
  return minutes === null || minutes < longMinutes ? '' : `about ${Math.round(minutes / 60)} hours`;
}

/** Where nothing but lost trials stands against a verdict. */
function lossesText(comparison: Comparison): string {
  const { worstRank } = comparison;
  if (!hasReason(comparison, 'unequal-losses') || worstRank === undefined) return '';
  const lost = worstRank.lostBaseline + worstRank.lostCandidate;
  return lost === 1
    ? ' One trial was lost, and could turn it.'
    : ` ${lost} trials were lost, and could turn it.`;
}

/** Where the effect is beyond the margin, and may be made by what works in the browser for h2h3. */
function recordedText(comparison: Comparison): string {
  const { instrumentationOverhead } = comparison;
  if (!hasReason(comparison, 'recording-may-have-made-it') || instrumentationOverhead === undefined)
    return '';
  return ` Recording may make up to ${percentDigits(instrumentationOverhead.bound * 100)} % of it.`;
}

/** What is not decided, and what more blocks may do about it. */
function measureMore({ comparison, partly, next }: AdviceFacts): string {
  const { noun } = headlineWords(comparison.metric);
  const { outOfReach } = next;
  const open = `${sentenceCase(noun)} ${beOf([noun])} not decided${partly ? ' everywhere' : ''}.`;
  if (next.unmeasured !== null)
    return `${open} First measure what is missing, then run again: ${next.unmeasured} was not measured.`;
  if (hasReason(comparison, 'sessions-too-short'))
    return `${open} Play sessions of a minute or more. Shorter ones cannot show that viewers get the same.`;
  const what = `${open}${lossesText(comparison)}${recordedText(comparison)}`;
  const hours = inHours(next.minutes?.[1] ?? null);
  const more = `More blocks may decide ${outOfReach === null ? 'it' : 'a part'}${hours === '' ? '' : `, in ${hours}`}.`;
  if (outOfReach === null) return `${what} ${more}`;
  const here = inHours(outOfReach.minutes);
  const needs = `may need more than ${outOfReach.blocks} blocks${here === '' ? '' : `, ${here} here`}`;
  const narrower = 'Ask a narrower question, or set a wider margin (`margins` of a plan file).';
  if (outOfReach.all) return `${what} A decision ${needs}. ${narrower}`;
  const rest = outOfReach.comparisons === 1 ? 'One comparison' : `${outOfReach.comparisons} comparisons`;
  return `${what} ${more} ${rest} ${needs}.`;
}

/** Where the same film is more at risk. */
function harderWords({ reasonFacts = {} }: Comparison): string {
  const { harderNetwork, harderPreset } = reasonFacts;
  if (harderNetwork !== undefined)
    return `Play it where the rate falls below its tracks, such as over ${harderNetwork}.`;
  return harderPreset === undefined
    ? 'Play it over a slower network.'
    : `Play a film over a path that loses packets, such as the preset ${harderPreset}.`;
}

/** Where a change is decided the one run that is advised measures this. */
const flightsShare = ' One more run measures how much of that comes from the servers’ first flights.';

/** What to do about an answer, in a sentence or two. */
export function adviceFor(action: AnswerAction, facts: AdviceFacts): string {
  const { comparison, arms } = facts;
  const what = audiences[comparison.workloadKind];
  const { baseline, candidate } = comparedNames(arms, comparison);
  const onSwitch = comparison.baseline.arm === 'h2' && comparison.candidate.arm === 'h3';
  const share = facts.next.command === null ? '' : flightsShare;
  switch (action) {
    case 'do':
      return `${onSwitch ? `Offer HTTP/3 for ${what} to this audience.` : `Take ${candidate} for ${what}.`}${share}`;
    case 'do-not':
      return `${
        onSwitch
          ? `Keep ${what} on HTTP/2 for this audience until the cause is found.`
          : `Stay with ${baseline} for ${what}.`
      }${share}`;
    case 'either':
      return `No difference in ${headlineWords(comparison.metric).noun}. Choose on cost.`;
    case 'by-workload':
      return `Some gain and some lose. The average hides that.${share}`;
    case 'measure-more':
      return measureMore(facts);
    case 'measure-network':
      return 'Measure over a network before you decide. Without one this shows what the protocols cost the machine, not what users get.';
    case 'measure-harder':
      return `${unriskedSentence(baseline)} ${harderWords(comparison)}`;
    case 'none':
      return 'Nothing to decide: a check of the instrument.';
  }
}

/** The same where viewers notice nothing of it: what was found is then a matter of throughput alone. */
export function unfeltAdvice(action: AnswerAction, facts: AdviceFacts): string {
  const advice = adviceFor(action, facts);
  return action === 'do' || action === 'do-not'
    ? `Viewers notice no difference here. Where the network has less to spare: ${lowered(advice)}`
    : advice;
}
