import { isDeepStrictEqual } from 'node:util';
import { byArm } from '../core/model/factor.ts';
import { H2h3Error } from '../core/model/errors.ts';
import { planSchema, type Arm, type Condition, type Plan, type PlannedTrial } from '../core/model/plan.ts';
import { blocksToRun, instrumentedBlocksIn, trialsOfBlocks, type OpenCondition } from './blocks.ts';
import { actOf, textVerdict } from './outside-fields.ts';

/** A field of a plan from elsewhere that would do something on this machine. */
export interface ActingField {
  /** Such as `live.login`, `arms[1].factors.client`. */
  readonly field: string;
  /** All that it holds, as JSON; undefined where that may lead to a secret. */
  readonly value?: string;
  /** A clause that begins with a verb: `runs a script`. */
  readonly does: string;
}

/** A plan that somebody else made, as far as it may be believed. */
export interface OutsidePlan {
  /** Its trials are made anew from its arms and conditions, as far as they are those of the plan. */
  readonly plan: Plan;
  /** What only the user may allow, in the plan's order. */
  readonly acts: readonly ActingField[];
}

/** Why a plan is refused whatever the user allows. */
interface Fault {
  readonly field: string;
  readonly value?: string;
  readonly why: string;
}

/** One value of a plan that holds no others, or one that acts with all that it holds. */
interface Leaf {
  /** `arms[1].factors.client`. */
  readonly field: string;
  /** The same for any place in a list: `arms[].factors.client`. */
  readonly pattern: string;
  readonly value: unknown;
}

/** A plan of more trials would fill the memory before anything could be said of it; plans of our own have at most as many. */
const maxTrials = 100_000;
const shownCharacters = 120;
const shownFaults = 5;

/**
 * Reads a plan that somebody else made through the allow-list of `outside-fields.ts`.
 *
 * @param raw the document as it was parsed from JSON
 * @param from what the plan came in, for the error: `run.zip`
 * @throws H2h3Error `bad-input` for a field that no plan has, a text that may not stand there, and trials that are not those
 *   of the plan's arms and conditions
 */
export function readOutsidePlan(raw: unknown, from: string): OutsidePlan {
  const parsed = planSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refusedPlan(from, [{ field: issue?.path.join('.') ?? '', why: issue?.message ?? 'is no plan' }]);
  }
  const plan = parsed.data;
  requireNoFaults(from, unknownFields(raw, plan, ''));
  const opened = openConditions(plan);
  // Trials have no text but those of arms and conditions, as the last check requires.
  const { faults, acts } = judged([...leavesOf({ ...plan, trials: [] }, '', ''), ...saidByTrials(opened)]);
  requireNoFaults(from, faults);
  requireNoFaults(from, strangeTrials(plan, opened));
  return { plan, acts };
}

/**
 * The trials of a plan, made anew from its arms and conditions.
 *
 * @param isInstrumented whether trials of a client leave more when they are recorded
 * @throws H2h3Error `bad-input` for a plan of more trials than any of ours has
 */
export function trialsAgain(plan: Plan, isInstrumented: (client: string) => boolean): PlannedTrial[] {
  const { repetitions, interims, arms, seed } = plan;
  const counts = {
    repetitions,
    interims,
    recordedBlocks: instrumentedBlocksIn(plan.recordedBlocks, repetitions),
  };
  const trials = blocksToRun(counts) * plan.conditions.length * arms.length;
  if (trials > maxTrials)
    throw new H2h3Error('bad-input', `repetitions: the plan has ${trials} trials, more than ${maxTrials}`, {
      next: 'Measure fewer blocks of it with --repetitions.',
    });
  return trialsOfBlocks({ ...counts, conditions: openConditions(plan), arms, seed, isInstrumented });
}

function refusedPlan(from: string, faults: readonly Fault[]): H2h3Error {
  const told = faults
    .slice(0, shownFaults)
    .map(({ field, value, why }) => `${field} ${value === undefined ? '' : `(${value}) `}${why}`);
  const more = faults.length > shownFaults ? `, and ${faults.length - shownFaults} more` : '';
  return new H2h3Error('bad-input', `the plan of ${from} is refused: ${told.join('; ')}${more}`, {
    context: { file: from },
    next: 'It was changed, or another version of h2h3 made it. Ask for it again, as the run left it.',
  });
}

function requireNoFaults(from: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw refusedPlan(from, faults);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const below = (field: string, key: string, inList: boolean): string =>
  inList ? `${field}[${key}]` : [field, key].filter(Boolean).join('.');

/** Fields of the document that reading it dropped, because no plan has them. */
function unknownFields(raw: unknown, read: unknown, field: string): Fault[] {
  if (!isObject(raw) || !isObject(read)) return [];
  return Object.keys(raw).flatMap((key): Fault[] => {
    const place = below(field, key, Array.isArray(raw));
    if (!Object.hasOwn(read, key)) return [{ field: place, why: 'is no field of a plan' }];
    return unknownFields(raw[key], read[key], place);
  });
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function leavesOf(value: unknown, field: string, pattern: string): Leaf[] {
  const isOne = !isObject(value) || actOf(pattern) !== undefined;
  if (isOne) return value === undefined || isEmpty(value) ? [] : [{ field, pattern, value }];
  const inList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, below(field, key, inList), inList ? `${pattern}[]` : below(pattern, key, false)),
  );
}

function judged(leaves: readonly Leaf[]): {
  readonly faults: readonly Fault[];
  readonly acts: readonly ActingField[];
} {
  const faults: Fault[] = [];
  const acts: ActingField[] = [];
  for (const { field, pattern, value } of leaves) {
    const verdict = typeof value === 'string' ? textVerdict(pattern, value) : actOf(pattern);
    if (verdict === undefined) continue;
    if (typeof verdict === 'string') faults.push({ field, value: shortValue(value), why: verdict });
    else
      acts.push({
        field,
        does: verdict.does,
        ...(verdict.isHidden === true ? {} : { value: JSON.stringify(value) }),
      });
  }
  return { faults, acts };
}

/** For an error: on one line, and of an address without what may open it. */
export function shortValue(value: unknown): string {
  const plain = (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    .replace(/(https?:\/\/)(?:[^/@\s]*@)?([^\s?#"]*)[^\s"]*/g, '$1$2')
    .replace(/\p{Cc}+/gu, ' ');
  return plain.length > shownCharacters ? `${plain.slice(0, shownCharacters)}…` : plain;
}

const openFactors = ['client', 'network', 'server'] as const;
type OpenFactor = (typeof openFactors)[number];

/** What only trials say of a condition is judged as what a condition says itself. */
function saidByTrials(opened: readonly OpenCondition[]): Leaf[] {
  return opened.flatMap(({ condition, open }, index) =>
    openFactors
      .filter((factor) => condition[factor] === byArm)
      .map((factor) => ({
        field: `conditions[${index}].${factor}`,
        pattern: `conditions[].${factor}`,
        value: open[factor],
      })),
  );
}

/**
 * The conditions with values for arms that leave a factor open. Where arms set it, only the trials of the others say it.
 */
function openConditions({ conditions, arms, trials }: Plan): OpenCondition[] {
  const trialsById = Map.groupBy(trials, ({ conditionId }) => conditionId);
  const labelsLeaving = (factor: OpenFactor): ReadonlySet<string> =>
    new Set(arms.filter(({ factors }) => factors[factor] === undefined).map(({ label }) => label));
  const leaving = {
    client: labelsLeaving('client'),
    network: labelsLeaving('network'),
    server: labelsLeaving('server'),
  };
  return conditions.map((condition) => {
    const own = trialsById.get(condition.conditionId) ?? [];
    const valueOf = (factor: OpenFactor): string => {
      if (condition[factor] !== byArm) return condition[factor];
      return own.find(({ arm }) => leaving[factor].has(arm))?.[factor] ?? byArm;
    };
    return {
      condition,
      open: { client: valueOf('client'), network: valueOf('network'), server: valueOf('server') },
    };
  });
}

/** Trials that say other than their arm and their condition do. */
function strangeTrials({ trials, arms, conditions }: Plan, opened: readonly OpenCondition[]): Fault[] {
  const armByLabel = new Map(arms.map((arm) => [arm.label, arm]));
  const openById = new Map(opened.map((one) => [one.condition.conditionId, one]));
  if (openById.size < conditions.length) return [{ field: 'conditions', why: 'have one name twice' }];
  return trials.flatMap((trial, index): Fault[] => {
    const arm = armByLabel.get(trial.arm);
    const open = openById.get(trial.conditionId);
    const place = `trials[${index}]`;
    if (arm === undefined || open === undefined)
      return [{ field: place, why: 'is of no arm or condition of the plan' }];
    return differingFields(trial, arm, open).map(({ field, value, expected }) => ({
      field: `${place}.${field}`,
      value: shortValue(value),
      why: `is not what its arm and its condition say (${shortValue(expected)})`,
    }));
  });
}

interface Difference {
  readonly field: string;
  readonly value: unknown;
  readonly expected: unknown;
}

function differingFields(trial: PlannedTrial, arm: Arm, { condition, open }: OpenCondition): Difference[] {
  const { client = open.client, network = open.network, server = open.server } = arm.factors;
  const factors: PlannedTrial['factors'] = { ...condition.factors, ...arm.factors, client, network, server };
  const names = new Set([...Object.keys(factors), ...Object.keys(trial.factors)]);
  const own = { workload: condition.workload, client, network, server } satisfies Partial<Condition>;
  return [
    ...Object.entries(own).map(([field, expected]) => ({
      field,
      value: trial[field as keyof typeof own],
      expected,
    })),
    ...[...names].map((name) => ({
      field: `factors.${name}`,
      value: trial.factors[name],
      expected: factors[name],
    })),
  ].filter(({ value, expected }) => !isDeepStrictEqual(value, expected));
}
