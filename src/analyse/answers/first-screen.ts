import { audienceNetwork } from '../../core/model/audience-network.ts';
import { sentenceCase } from '../../core/model/sentence-case.ts';
import { maxFirstWarnings, type Chip, type FirstScreen, type Tone } from '../../core/model/first-screen.ts';
import type { Environment } from '../../core/model/environment.ts';
import type { UnlikeFlights } from '../../core/model/first-flights.ts';
import { namesOf } from '../../core/model/names.ts';
import type { Names } from '../../core/model/names.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import { armName } from '../../core/factors/arm-name.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import type { ArmPair } from '../comparison/arm-pairs.ts';
import { withoutFlightControls } from '../comparison/flight-trios.ts';
import { cut } from '../../core/model/cut.ts';
import { beOf, counted, percent, quantity } from '../figures/figures.ts';
import { changeClause, costsOf, cpuAmount, listed, meanTail } from './clauses.ts';
import { cpuInAllBlocks, findingsHeadline, fitting, rareEventsOf } from './decided-headline.ts';
import type { HeadlineFindings, Sentence } from './headline-findings.ts';
import { nounsOf } from './headline-findings.ts';
import type { Finding } from './findings.ts';
import { gateHeadline, silentGateHeadline } from './gate-headline.ts';
import type { GateFacts } from './gate-headline.ts';
import {
  changed,
  cpuFindings,
  findingsOfMetric,
  having,
  isOpen,
  isUntested,
  otherChanges,
  usersFindings,
} from './findings.ts';
import { picturePlaces } from './picture-places.ts';
import { askedOf, untestedDetail } from './untested.ts';

/** What the first screen is made from. */
export interface FirstScreenFacts {
  readonly plan: Pick<Plan, 'arms' | 'compare' | 'trials' | 'exploratory' | 'repetitions' | 'workloads'>;
  readonly comparisons: readonly Comparison[];
  readonly environment: Environment | null;
  readonly trials: Summary['trials'];
  readonly blocksDone: number;
  /** Planned trials of which the journal says nothing. */
  readonly missing: number;
  /** Arms of which no trial is valid. */
  readonly armsLost: readonly Arm[];
  /** Those that may change a verdict, the gravest first. */
  readonly warnings: readonly string[];
  readonly banners: readonly string[];
  readonly unlikeFirstFlights?: Summary['unlikeFirstFlights'];
  readonly firstFlightShares?: Summary['firstFlightShares'];
  readonly audience?: Summary['audience'];
  /** Of a run that was judged as a gate. */
  readonly gate?: Pick<GateFacts, 'outcome' | 'trialsFailed'>;
}

const maxArmCharacters = 40;
/** `8 blocks`, or `8 of 20 blocks` of a run that ended earlier. */
export function blocksDone(done: number, planned: number): string {
  return done < planned ? `${done} of ${counted(planned, 'block')}` : counted(done, 'block');
}

function findingsFor(facts: FirstScreenFacts, pairs: readonly ArmPair[], names: Names): HeadlineFindings {
  const { comparisons } = facts;
  return {
    users: usersFindings(comparisons, pairs),
    cpu: cpuFindings(comparisons, pairs),
    networking: findingsOfMetric(comparisons, pairs, 'networkingCpuSeconds'),
    server: findingsOfMetric(comparisons, pairs, 'serverCpuSeconds'),
    others: otherChanges(comparisons, pairs),
    names,
  };
}

/** What stands in the way of any comparison; null where there is one. */
function nothingSaid({ plan, trials, comparisons, armsLost }: FirstScreenFacts): Sentence | null {
  const ran = trials.ok + trials.invalid + trials.failed + trials.unsupported;
  const told = (text: string): Sentence => ({ text, of: [] });
  if (ran === 0) return told('No trial has run yet.');
  if (trials.ok === 0) return told(`No result: none of ${counted(ran, 'trial')} is valid.`);
  const [only, second] = plan.arms;
  if (only !== undefined && second === undefined)
    return told(`${cut(armName(only), maxArmCharacters)} alone was measured, and compared with nothing.`);
  if (comparisons.some(({ ratio, difference }) => ratio !== null || difference !== null)) return null;
  const [first, ...others] = armsLost;
  return first !== undefined && others.length === 0
    ? told(`No result: ${cut(armName(first), maxArmCharacters)} has no valid trial to compare.`)
    : told('No result: no metric has a value in both arms of a block.');
}

/** A run of an arm against itself. */
function selfCheck(comparisons: readonly Comparison[]): Sentence {
  const alarms = comparisons.filter(({ verdict }) => verdict === 'better' || verdict === 'worse').length;
  const all = counted(comparisons.length, 'comparison');
  return {
    text: `Self-check: ${alarms === 0 ? 'no false alarm' : counted(alarms, 'false alarm')} in ${all}.`,
    of: [],
  };
}

function findable(comparisons: readonly Comparison[]): string {
  const [first] = comparisons.filter(
    ({ primary, smallestDetectable }) => primary && typeof smallestDetectable === 'number',
  );
  if (typeof first?.smallestDetectable !== 'number') return '';
  const { smallestDetectable: smallest, ratio, blocks, unit } = first;
  const change = ratio === null ? quantity(smallest, unit) : percent(smallest);
  return `${counted(blocks, 'block')} here usually detect a change of ${change} or more.`;
}

/** What is not decided needs no caution. */
function cautionOf({ plan, missing }: FirstScreenFacts, { users, cpu, others }: HeadlineFindings): string {
  const isAnyDecided = others.length > 0 || [...users, ...cpu].some((finding) => !isOpen(finding));
  if (!isAnyDecided) return '';
  if (plan.exploratory) return 'A hint';
  return missing > 0 ? 'So far' : '';
}

/** Whose answer the headline is, and how far it may be believed: `So far, for your users: `. */
function prefixOf(facts: FirstScreenFacts, findings: HeadlineFindings): string {
  const caution = cautionOf(facts, findings);
  const isOfAudience = facts.comparisons.some(
    ({ primary, network }) => primary && network === audienceNetwork,
  );
  const parts = [caution, isOfAudience ? 'for your users' : ''].filter(Boolean);
  return parts.length === 0 ? '' : `${sentenceCase(parts.join(', '))}: `;
}

/** More are counted in a headline. */
const maxNamedPairs = 2;

/** What the headline has no room for. */
function detailOf(told: Sentence, findings: HeadlineFindings, facts: FirstScreenFacts): string {
  const { names } = findings;
  // Of several pairs the detail stays with the one of which the headline speaks; what is true of one is not of all.
  const isOfMany = new Set(told.of.map(({ pair }) => pair)).size > maxNamedPairs;
  const asked = told.of[0]?.pair ?? findings.users[0]?.pair;
  const ofPair = (some: readonly Finding[]): Finding[] => some.filter(({ pair }) => pair === asked);
  const allOpen = told.of.every(isOpen) ? told.of : [];
  const users = isOfMany ? allOpen : ofPair(findings.users);
  const cpu = isOfMany ? [] : ofPair(findings.cpu);
  const server = isOfMany ? [] : ofPair(findings.server);
  const rest = users.filter((finding) => !told.of.includes(finding));
  // What is not the protocol's stands before what else is.
  const sentences = (facts.firstFlightShares ?? []).map((share) => `${share}.`);
  sentences.push(...(facts.audience?.noticeableSentences ?? []).slice(0, 2));
  for (const finding of rest.filter(changed).slice(0, 2))
    sentences.push(`${changeClause(finding, '', names)}.`);
  const same = nounsOf(rest.filter(({ outcome }) => outcome === 'equivalent'));
  if (same.length > 0) sentences.push(`Same ${listed(same)}.`);
  sentences.push(untestedDetail(users));
  const open = nounsOf(users.filter((finding) => isOpen(finding) && !isUntested(finding)));
  const blocks = blocksDone(facts.blocksDone, facts.plan.repetitions);
  const isAllOpen =
    users.length > 0 && users.every(isOpen) && told.of.every((finding) => findings.users.includes(finding));
  if (open.length > 0 && !isAllOpen)
    sentences.push(`${sentenceCase(listed(open))} ${beOf(open)} not decided (${blocks}).`);
  const seen = users
    .filter((finding) => isOpen(finding) && !told.of.includes(finding))
    .flatMap((finding) => rareEventsOf(finding) ?? []);
  sentences.push(...seen.map((clause) => `${clause}.`));
  const isNews = (finding: Finding): boolean => !told.of.includes(finding) && changed(finding);
  const [spent] = costsOf({ cpu, names }, isNews);
  if (spent !== undefined) {
    const words = { more: 'more', less: 'less' };
    sentences.push(`${sentenceCase(spent.paid)}${meanTail(having(spent.cost, 'better', 'worse'), words)}.`);
  }
  const [served] = costsOf({ cpu: server, names }, isNews);
  if (served !== undefined) sentences.push(`${sentenceCase(served.paid)}.`);
  if ((spent ?? served) !== undefined || told.of.some((finding) => cpu.includes(finding) && !finding.primary))
    sentences.push('CPU is a secondary measure.');
  sentences.push(...flightSentences(facts.unlikeFirstFlights ?? []));
  if (isAllOpen) sentences.push(...cpu.slice(0, 1).map(cpuInAllBlocks));
  if (isAllOpen && !askedOf(users).every(isUntested)) sentences.push(findable(facts.comparisons));
  return sentences.filter(Boolean).join(' ');
}

/** The first in full, and how many more there are: Trust has them all. */
function flightSentences([first, ...others]: readonly UnlikeFlights[]): string[] {
  if (first === undefined) return [];
  const more =
    others.length === 0 ? [] : [`First flights differ in ${counted(others.length, 'more comparison')}.`];
  return [`${first.sentence}.`, ...more];
}

function toneOf(findings: readonly Finding[]): Tone {
  if (findings.some((finding) => having(finding, 'worse').length > 0))
    return findings.some((finding) => having(finding, 'better').length > 0) ? 'mixed' : 'worse';
  if (findings.some((finding) => having(finding, 'mixed').length > 0)) return 'mixed';
  if (findings.some((finding) => having(finding, 'better').length > 0)) return 'better';
  return findings.some((finding) => having(finding, 'equivalent').length > 0) ? 'same' : 'open';
}

const usersWords: Readonly<Record<Tone, string>> = {
  better: 'better',
  worse: 'worse',
  mixed: 'better and worse',
  same: 'no difference',
  open: 'not decided',
};

function trustChip({ trials, warnings, banners, gate }: FirstScreenFacts): Chip {
  const lost = trials.invalid + trials.failed;
  const ran = trials.ok + lost;
  const limits = [
    ...(lost > 0 ? [`${lost} of ${ran} lost`] : [`all ${ran} valid`]),
    ...(banners.length > 0 ? [counted(banners.length, 'caution')] : []),
  ];
  const isGrave = lost * 5 > ran || banners.length > 0 || gate?.trialsFailed === true || trials.ok === 0;
  return {
    about: 'trust',
    tone: isGrave ? 'worse' : lost > 0 || warnings.length > 0 ? 'open' : 'same',
    text: ran === 0 ? 'no trial has run' : limits.join(', '),
  };
}

/** The whole client's CPU time, then that of its networking: `27 % more, networking 1.7 times as much`. */
function cpuChipText({ cpu, networking, names }: HeadlineFindings): string {
  const [cost] = cpu;
  if (cost === undefined) return 'not measured';
  const amountOf = (finding: Finding): string =>
    cpuAmount(finding, names) ?? (isOpen(finding) ? 'not decided' : 'more and less');
  const part = networking.find(({ pair, kind }) => pair === cost.pair && kind === cost.kind);
  if (cost.metric === part?.metric) return `not decided, networking ${amountOf(part)}`;
  return part === undefined || isOpen(part)
    ? amountOf(cost)
    : `${amountOf(cost)}, networking ${amountOf(part)}`;
}

function chipsOf(findings: HeadlineFindings, facts: FirstScreenFacts): Chip[] {
  const { users, cpu } = findings;
  const [cost] = cpu;
  // What the plan asked is what users are said to get: of a secondary metric alone nothing was confirmed.
  const asked = users.filter(({ primary }) => primary);
  const tone = toneOf(asked);
  const said = asked.length > 0 && asked.every(isUntested) ? 'nothing was at risk' : usersWords[tone];
  return [
    { about: 'users', tone, text: users.length === 0 ? 'not measured' : said },
    {
      about: 'cpu',
      tone: cost === undefined ? 'open' : toneOf([cost]),
      text: cpuChipText(findings),
    },
    trustChip(facts),
  ];
}

/** What its headline is made of where the run was judged as a gate; null where not. */
function gateFactsOf({ gate, plan, armsLost, missing, blocksDone }: FirstScreenFacts): GateFacts | null {
  if (gate === undefined) return null;
  return { ...gate, armsLost, missing, blocksDone, blocksPlanned: plan.repetitions };
}

/** The headline of a run, what stands below it, three short answers, and what its picture shows. */
export function firstScreenOf(facts: FirstScreenFacts): FirstScreen {
  // What stands above as a banner is not said twice.
  const warnings = facts.warnings
    .filter((warning) => !facts.banners.includes(warning))
    .slice(0, maxFirstWarnings);
  return { ...answered({ ...facts, warnings }), ...(warnings.length === 0 ? {} : { warnings }) };
}

function answered(facts: FirstScreenFacts): FirstScreen {
  const { plan, comparisons, environment } = facts;
  const names = namesOf({ workloads: plan.workloads, environment });
  const all = armPairs(plan);
  const identical = all.length > 0 && all.every((pair) => pair.identical);
  const asked = withoutFlightControls(
    all.filter(({ primary }) => primary),
    plan.arms,
  );
  const findings = findingsFor(facts, asked, names);
  const picture = picturePlaces(findings, comparisons);
  const chips = identical
    ? chipsOf(findings, facts).map((chip) => ({
        ...chip,
        tone: 'open' as const,
        ...(chip.about === 'trust' ? {} : { text: 'self-check' }),
      }))
    : chipsOf(findings, facts);
  const gate = gateFactsOf(facts);
  const silent = nothingSaid(facts);
  if (silent !== null) {
    const { text } = gate === null ? silent : silentGateHeadline(silent.text, gate);
    return { headline: text, detail: '', chips, picture: [] };
  }
  if (identical) {
    const own = comparisons.filter((comparison) =>
      all.some(
        ({ baseline, candidate }) =>
          baseline.label === comparison.baseline.arm && candidate.label === comparison.candidate.arm,
      ),
    );
    return { headline: selfCheck(own).text, detail: findable(own), chips, picture };
  }
  const candidates = findingsHeadline(findings);
  const told =
    gate === null
      ? fitting(
          candidates.length > 0 ? candidates : [{ text: 'No result yet: no comparison has a value', of: [] }],
          prefixOf(facts, findings),
        )
      : gateHeadline(gate, candidates, findings);
  return {
    headline: sentenceCase(told.text),
    detail: detailOf(told, findings, facts),
    chips,
    picture: picturePlaces(findings, comparisons, told.of[0]),
  };
}
