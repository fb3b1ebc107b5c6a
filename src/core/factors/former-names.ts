import { ownEntry } from '../model/own-entry.ts';

/** Factors that plans, journals and command lines of before call otherwise, by the name of then. */
const formerNames: Readonly<Record<string, string>> = {
  beside: 'crosstraffic',
  rivals: 'competingflows',
  handover: 'migration',
};

interface FormerField {
  readonly now: string;
  /** Keys whose value has it for a field; the empty text: the document itself. Absent: anywhere. */
  readonly within?: readonly string[];
  /** Which values make it that field; absent: any. */
  readonly isValue?: (value: unknown) => boolean;
  /** Values that are called otherwise as well. */
  readonly values?: Readonly<Record<string, string>>;
}

const instrumentations = { bare: 'uninstrumented', evidence: 'instrumented' };
const plans = ['', 'plan', 'gate', 'quick', 'standard', 'paper'];

/** Fields that plans and other documents of before call otherwise, by the name of then. */
const formerFields: Readonly<Record<string, FormerField>> = {
  looks: { now: 'interims', within: plans },
  plannedLooks: { now: 'plannedInterims', within: ['', 'gate'] },
  honours: { now: 'applies', within: ['workloads'] },
  leastShare: { now: 'minShare', within: ['flameGraphs'] },
  besideRealPages: { now: 'realPages', within: ['', 'summary'] },
  pagesBeside: { now: 'pagesWithoutScript', within: plans },
  watch: {
    now: 'instrumentation',
    isValue: (value) => typeof value === 'string' && Object.hasOwn(instrumentations, value),
    values: instrumentations,
  },
  evidence: {
    now: 'recordedBlocks',
    within: plans,
    isValue: (value) => typeof value === 'number' || value === 'all',
  },
  watching: {
    now: 'instrumentationOverhead',
    within: ['', 'summary', 'environment', 'comparisons', 'run'],
    isValue: (value) => typeof value === 'object',
  },
  bareBlocks: { now: 'timedBlocks', within: ['watching'] },
  evidenceBlocks: { now: 'recordedBlocks', within: ['watching'] },
  bare: {
    now: 'timed',
    within: ['', 'run', 'diagnoses'],
    isValue: (value) => typeof value === 'boolean' || typeof value === 'object',
  },
};

const anyName = Object.keys(formerNames).join('|');
/** As an arm sets one: `h2+beside=download`. */
const inArm = new RegExp(String.raw`\+(${anyName})(?==)`, 'g');
/** Most texts hold none, and what was read of them need not be gone through. */
const inText = new RegExp(String.raw`\b(?:${anyName}|${Object.keys(formerFields).join('|')})\b["']?\s*[:=]`);
/** What has a factor's name for a key: an assignment, or each of a list of them. */
const assignments: readonly string[] = ['set', 'factors', 'arms'];
/** No document that was read nests deeper. */
const maxDepth = 500;

/** What was read, under the names of today. */
export interface Renamed {
  readonly value: unknown;
  /** The names of before that it held. */
  readonly former: readonly string[];
}

/** The name that a factor has today. */
export function currentName(name: string): string {
  return ownEntry(formerNames, name) ?? name;
}

/** A plan, a record or flags with the names of today: of fields, and of factors that are set or stand in arms. */
export function withCurrentNames(value: unknown): Renamed {
  const former = new Set<string>();
  const nameNow = (name: string): string => {
    const now = currentName(name);
    if (now !== name) former.add(name);
    return now;
  };
  const fieldNow = (field: string, item: unknown, holder: string): readonly [string, unknown] => {
    const known = ownEntry(formerFields, field);
    const isFormer = (known?.within?.includes(holder) ?? true) && (known?.isValue?.(item) ?? true);
    if (known === undefined || !isFormer) return [field, item];
    former.add(field);
    return [known.now, typeof item === 'string' ? (known.values?.[item] ?? item) : item];
  };
  const renamed = (part: unknown, holder: string, depth: number): unknown => {
    if (typeof part === 'string') return part.replaceAll(inArm, (_, name: string) => `+${nameNow(name)}`);
    if (typeof part !== 'object' || part === null || depth > maxDepth) return part;
    if (Array.isArray(part)) return part.map((item) => renamed(item, holder, depth + 1));
    const entries = Object.entries(part).map(([key, item]): [string, unknown] => {
      const [name, value] = assignments.includes(holder) ? [nameNow(key), item] : fieldNow(key, item, holder);
      return [name, renamed(value, key, depth + 1)];
    });
    return Object.fromEntries(entries);
  };
  return { value: renamed(value, '', 0), former: [...former] };
}

/** The same of what was read out of a text. */
export function withCurrentNamesOf(text: string, value: unknown): Renamed {
  return inText.test(text) ? withCurrentNames(value) : { value, former: [] };
}

/** The written form of an arm as it is today. */
export function currentArm(text: string): string {
  return text.replaceAll(inArm, (_, name: string) => `+${currentName(name)}`);
}

/** The names of before among what is set as `NAME=VALUE`. */
export function formerNamesIn(settings: readonly string[]): string[] {
  return settings
    .map((text) => text.split('=', 1)[0] ?? '')
    .filter((name) => Object.hasOwn(formerNames, name));
}

/** One line about the names of before; none where there were none. */
export function formerNamesNotice(former: readonly string[]): string[] {
  if (former.length === 0) return [];
  const nowOf = (name: string): string => ownEntry(formerFields, name)?.now ?? currentName(name);
  const pairs = former.map((name) => `${name} is now ${nowOf(name)}`);
  return [`Some names are new: ${pairs.join(', ')}. The old names are still read.`];
}
