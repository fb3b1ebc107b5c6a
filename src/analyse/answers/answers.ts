import { audienceNetwork } from '../../core/model/audience-network.ts';
import { sentenceCase } from '../../core/model/sentence-case.ts';
import type { Answer, AnswerAction, Sureness } from '../../core/model/answer.ts';
import type { Environment } from '../../core/model/environment.ts';
import { byArm } from '../../core/model/factor.ts';
import { liveNetwork } from '../../core/model/live-address.ts';
import { namesOf } from '../../core/model/names.ts';
import { armsAsRun } from '../../core/factors/arms-as-run.ts';
import { type Plan } from '../../core/model/plan.ts';
import type { UnlikeFlights } from '../../core/model/first-flights.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { calibrationFor } from '../comparison/verdict.ts';
import { comparedNames } from '../../core/factors/arm-name.ts';
import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import { intervalText } from '../wording/comparison-sentence.ts';
import { hasReason } from '../../core/model/reasons.ts';
import { adviceFor, unfeltAdvice, type NextRun, type OutOfReach } from './advice.ts';
import { listed } from './clauses.ts';
import { userPerceivedMetrics, feltPhrase, feltWords, spokenTime } from './felt-words.ts';
import { cheaperWords } from './cheaper.ts';
import { blocksRange, minutesOf, withBlocks, withinAnHour, withNetwork, withRisk } from './next-run.ts';
import { isWithoutRisk, outcomeOf } from './findings.ts';
import type { OneSided } from './one-sided.ts';
import { groupPhrase, type Outcome } from './group-phrase.ts';

export interface AnswerFacts {
  readonly plan: Plan;
  readonly comparisons: readonly Comparison[];
  readonly environment: Environment | null;
  readonly run: Summary['run'];
  readonly oneSided: readonly OneSided[];
  readonly unlikeFirstFlights?: readonly UnlikeFlights[] | undefined;
}

/** Blocks from which on a first verdict can be hoped for. */
const minUseful = 8;

/** An everyday network for a run that had none. */
const everydayNetwork = '4g';

interface Group {
  readonly kind: WorkloadKind;
  readonly network: string;
  readonly server: string;
  readonly members: readonly Comparison[];
}

/** What each audience on each network gets: one sentence that can be acted on, from the primary comparisons alone. */
export function answersOf(facts: AnswerFacts): Answer[] {
  const groups = Map.groupBy(
    primariesOf(facts),
    ({ workloadKind, metric, network, server, baseline, candidate }) =>
      JSON.stringify([workloadKind, metric, network, server, baseline.arm, candidate.arm]),
  );
  return [...groups.values()].map((members) => answerOf(members, facts));
}

/** The same over all networks and servers together: a sentence an audience. */
export function overviewOf(facts: AnswerFacts): string[] {
  const groups = Map.groupBy(primariesOf(facts), ({ workloadKind, metric, baseline, candidate }) =>
    JSON.stringify([workloadKind, metric, baseline.arm, candidate.arm]),
  );
  return [...groups.values()].map((members) => {
    const [{ workloadKind: kind, network, server, candidate }] = members as [Comparison];
    const outcome = outcomeOf(members);
    const sureness = isNoise(facts.plan, candidate.arm)
      ? 'noise'
      : surenessOf(outcome, facts.plan.exploratory);
    return sentenceOf({ kind, network, server, members }, outcome, sureness, facts);
  });
}

function primariesOf(facts: AnswerFacts): Comparison[] {
  const pairs = armPairs(facts.plan).filter(({ primary }) => primary);
  const isPrimary = ({ primary, baseline, candidate }: Comparison): boolean =>
    primary &&
    pairs.some((pair) => pair.baseline.label === baseline.arm && pair.candidate.label === candidate.arm);
  return facts.comparisons.filter(
    (comparison) => isPrimary(comparison) && (comparison.ratio !== null || comparison.difference !== null),
  );
}

/** Whether an arm is compared with one that asks for the same thing. */
function isNoise(plan: Plan, candidate: string): boolean {
  return armPairs(plan).some((pair) => pair.identical && pair.candidate.label === candidate);
}

function answerOf(members: readonly Comparison[], facts: AnswerFacts): Answer {
  const [first] = members as [Comparison];
  const { workloadKind: kind, network, server } = first;
  const group: Group = { kind, network, server, members };
  const shaped = isShaped(network, facts.environment);
  const outcome = outcomeOf(members);
  const identical = isNoise(facts.plan, first.candidate.arm);
  const sureness = identical ? 'noise' : surenessOf(outcome, facts.plan.exploratory);
  const action = identical ? 'none' : actionOf(members, shaped, facts.environment);
  const next = nextRun(action, members, facts);
  const advised = {
    comparison: (action === 'measure-harder' ? members.find(isWithoutRisk) : undefined) ?? first,
    arms: facts.plan.arms,
    partly: outcome === 'partly',
    next,
  };
  return {
    kind,
    network,
    server,
    baselineArm: first.baseline.arm,
    candidateArm: first.candidate.arm,
    shaped,
    sentence: sentenceOf(group, outcome, sureness, facts),
    sureness,
    action,
    advice: feelsTheSame(members, facts.comparisons)
      ? unfeltAdvice(action, advised)
      : adviceFor(action, advised),
    minutes: next.minutes === null ? null : [...next.minutes],
    command: next.command,
    ...(next.cheaper === undefined ? {} : { cheaper: next.cheaper }),
    asides: facts.oneSided.filter((loss) => loss.network === network).map(({ sentence }) => sentence),
    comparisons: members
      .toSorted((a, b) => Number(a.verdict === 'inconclusive') - Number(b.verdict === 'inconclusive'))
      .map((member) => facts.comparisons.indexOf(member)),
  };
}

function surenessOf(outcome: Outcome, exploratory: boolean): Sureness {
  if (outcome === 'inconclusive' || outcome === 'partly') return 'open';
  return exploratory ? 'hint' : 'sure';
}

const actions: Readonly<Record<Outcome, AnswerAction>> = {
  better: 'do',
  worse: 'do-not',
  equivalent: 'either',
  mixed: 'by-workload',
  inconclusive: 'measure-more',
  partly: 'measure-more',
};

function actionOf(
  members: readonly Comparison[],
  shaped: boolean,
  environment: Environment | null,
): AnswerAction {
  if (environment !== null && !shaped) return 'measure-network';
  const open = members.filter(({ verdict }) => verdict === 'inconclusive');
  return open.length > 0 && open.every(isWithoutRisk) ? 'measure-harder' : actions[outcomeOf(members)];
}

/** Whether users could meet such a network: something is set on it, or it is a link of a stated speed or between two machines. */
export function isShaped(id: string, environment: Environment | null): boolean {
  // Arms that set the network say themselves what it is, and an audience is of networks that people have.
  if (id === byArm || id === audienceNetwork) return true;
  const network = environment?.networks.find((network) => network.id === id);
  // That of a live address is not ours to describe: the path there, as users' packets take it.
  if (network === undefined) return id === liveNetwork;
  return network.impaired || network.backend === 'link' || network.backend === 'real';
}

const noNextRun: NextRun = { minutes: null, command: null, unmeasured: null, outOfReach: null };

/** The run that tells how much of a change the servers' first flights are; none where they begin alike. */
function flightsRun([first]: readonly Comparison[], { unlikeFirstFlights = [] }: AnswerFacts): NextRun {
  const told = unlikeFirstFlights.find(
    ({ command, baselineArm, candidateArm }) =>
      command !== null && baselineArm === first?.baseline.arm && candidateArm === first?.candidate.arm,
  );
  if (told === undefined) return noNextRun;
  const { command, minutes } = told;
  return { ...noNextRun, command, minutes: minutes === null ? null : [minutes, minutes] };
}

function nextRun(action: AnswerAction, members: readonly Comparison[], facts: AnswerFacts): NextRun {
  const { run } = facts;
  if (action === 'measure-network') return { ...noNextRun, command: withNetwork(run, everydayNetwork) };
  const unrisked = members.find(isWithoutRisk);
  if (action === 'measure-harder' && unrisked !== undefined)
    return { ...noNextRun, command: withRisk(run, unrisked) };
  if (action === 'do' || action === 'do-not' || action === 'by-workload') return flightsRun(members, facts);
  if (action !== 'measure-more') return noNextRun;
  // More blocks as short as these would not decide it.
  if (members.some((member) => hasReason(member, 'sessions-too-short'))) return noNextRun;
  const uncalibrated = members.find((member) => calibrationFor(member) !== null);
  if (uncalibrated !== undefined)
    return {
      ...noNextRun,
      unmeasured: String(uncalibrated.reasonFacts?.['unmeasured'] ?? uncalibrated.reason),
      command:
        calibrationFor(uncalibrated) === '--recording'
          ? `h2h3 calibrate --recording --client ${uncalibrated.client}`
          : null,
    };
  const blocksRun = Math.max(0, ...members.map(({ blocks }) => blocks));
  const minutes = (blocks: number): number | null => minutesOf(run, blocksRun, blocks);
  const ranges = members.flatMap(({ blocksNeeded }) => {
    const range = blocksRange(blocksNeeded);
    return range === null ? [] : [range];
  });
  const outOfReach = outOfReachOf(members, blocksRun, minutes);
  // No command is advised of which it is known that it will hardly decide anything.
  if (outOfReach?.all === true) return { ...noNextRun, outOfReach };
  // Nothing is known of too few blocks but that more of them may say something.
  const start = Math.max(blocksRun * 2, minUseful, run.repetitions > blocksRun ? run.repetitions : 0);
  const low = ranges.length === 0 ? start : Math.max(...ranges.map(([least]) => least));
  const high = ranges.length === 0 ? start : Math.max(...ranges.map(([, most]) => most));
  const blocks = withinAnHour(low, high, minutes);
  const from = minutes(low);
  const to = minutes(blocks);
  return {
    minutes: from === null || to === null ? null : [from, to],
    command: withBlocks(run, blocks, to),
    cheaper: cheaperWords(to, run.spanMs === null ? null : run.spanMs / 60_000, severalOf(facts.plan)),
    unmeasured: null,
    outOfReach,
  };
}

/** What a run could have fewer of. */
function severalOf({ workloads, arms, conditions }: Plan): string[] {
  const isSeveral = (ids: readonly string[]): boolean => new Set(ids).size > 1;
  return [
    ...(workloads.length > 1 ? [workloads.every(({ kind }) => kind === 'page') ? 'pages' : 'workloads'] : []),
    ...(arms.length > 2 ? ['arms'] : []),
    ...(isSeveral(conditions.map(({ network }) => network)) ? ['networks'] : []),
    ...(isSeveral(conditions.map(({ client }) => client)) ? ['clients'] : []),
  ];
}

/** The comparisons for which even the most blocks that are worth an estimate hardly suffice. */
function outOfReachOf(
  members: readonly Comparison[],
  blocksRun: number,
  minutes: (blocks: number) => number | null,
): OutOfReach | null {
  const open = members.filter(({ verdict }) => verdict === 'inconclusive');
  const comparisons = open.filter(({ blocksNeeded }) => blocksNeeded === null).length;
  if (comparisons === 0) return null;
  const blocks = Math.max(blocksRun, maxBlocksNeeded);
  return { comparisons, blocks, minutes: minutes(blocks), all: comparisons === open.length };
}

/** What a pool is in milliseconds, which its percentage does not tell. */
function meanSentence([first, ...others]: readonly Comparison[]): string {
  const { meanDifference, verdict } = first ?? {};
  if (meanDifference === undefined || others.length > 0 || verdict === 'inconclusive') return '';
  return ` The mean load takes ${spokenTime(Math.abs(meanDifference))} ${meanDifference > 0 ? 'more' : 'less'}.`;
}

/** How sure what is decided is says its interval; of several the table has theirs. */
function intervalSentence([first, ...others]: readonly Comparison[], plan: Plan): string {
  if (first === undefined || others.length > 0) return '';
  const text = ` ${intervalText(first, first.intervalLevel ?? 0.95)}.`;
  return isStoppedEarly(first, plan) ? `${text} ${stoppedEarly}.` : text;
}

/** Only large estimates end a run before its last block (docs/statistics.md, “Stopping early”). */
const stoppedEarly = 'The run stopped once that was sure, which makes the size look rather too large';

function isStoppedEarly({ verdict, blocks }: Comparison, { interims, repetitions }: Plan): boolean {
  const isDifference = verdict === 'better' || verdict === 'worse' || verdict === 'mixed';
  return interims !== undefined && isDifference && blocks < repetitions;
}

const sureWords: Readonly<Record<Exclude<Sureness, 'sure'>, string>> = {
  hint: 'A hint only: the plan looks for effects and confirms none',
  open: 'Not decided',
  noise: 'Both arms are the same, so this is noise',
};

/** A name within a sentence: `Cable` is `cable`, `4G` and `DSL` stay. */
const inSentence = (name: string): string =>
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

function sentenceOf(group: Group, outcome: Outcome, sureness: Sureness, facts: AnswerFacts): string {
  const { network, members, kind } = group;
  const [first] = members as [Comparison];
  const { environment } = facts;
  const names = namesOf({ workloads: facts.plan.workloads, environment });
  const pair = comparedNames(armsAsRun(facts.plan), first);
  const networks = new Set(members.map((member) => member.network)).size;
  const isUnshaped = environment !== null && !isShaped(network, environment);
  const place = isUnshaped
    ? 'Without any network delay or loss, '
    : `${network === audienceNetwork ? 'For' : 'Over'} ${inSentence(names.shortNetwork(network))}, `;
  const where = networks > 1 || network === byArm ? '' : place;
  const who = `${where === '' ? 'With' : 'with'} ${pair.candidate} instead of ${pair.baseline}${pair.shared === '' ? '' : ` ${pair.shared}`}`;
  const primary = `${feltWords(first.metric).subject} ${groupPhrase(members, outcome, names)}`;
  const felt = kind === 'video' ? viewersPhrase(first, members, facts.comparisons) : '';
  const what = felt === '' ? primary : `${felt}. ${sentenceCase(primary)}`;
  const sure = sureness === 'sure' ? intervalSentence(members, facts.plan) : ` ${sureWords[sureness]}.`;
  return `${where}${who}, ${what}.${meanSentence(members)}${sure}`;
}

/** Whether viewers notice nothing, for certain, of what the primary comparisons found. */
function feelsTheSame(members: readonly Comparison[], comparisons: readonly Comparison[]): boolean {
  const here = new Set(members.map(placeKey));
  const felt = comparisons.filter(
    (comparison) =>
      comparison.workloadKind === 'video' &&
      userPerceivedMetrics.includes(comparison.metric) &&
      here.has(placeKey(comparison)),
  );
  return felt.length > 0 && felt.every(({ verdict }) => verdict === 'equivalent');
}

function placeKey(comparison: Comparison): string {
  return JSON.stringify([
    comparison.workload,
    comparison.client,
    comparison.network,
    comparison.server,
    comparison.baseline.arm,
    comparison.candidate.arm,
  ]);
}

/** What viewers feel, as far as it is decided for all of these sessions alike; nothing where that is not so. */
function viewersPhrase(
  first: Comparison,
  members: readonly Comparison[],
  comparisons: readonly Comparison[],
): string {
  if (userPerceivedMetrics.includes(first.metric)) return '';
  const here = new Set(members.map(placeKey));
  const parts = userPerceivedMetrics.flatMap((metric) => {
    const own = comparisons.filter(
      (comparison) => comparison.metric === metric && here.has(placeKey(comparison)),
    );
    const verdicts = new Set(own.map(({ verdict }) => verdict));
    const decided = verdicts.size === 1 && !verdicts.has('inconclusive') && !verdicts.has('mixed');
    return decided && own.length === members.length ? [feltPhrase(own)] : [];
  });
  return parts.length === 0 ? '' : `your viewers ${listed(parts)}`;
}
