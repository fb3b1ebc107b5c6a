import { ownEntry } from '../model/own-entry.ts';

/** Factors that plans, journals and command lines of before call otherwise, by the name of then. */
const formerNames: Readonly<Record<string, string>> = {
  beside: 'crosstraffic',
  rivals: 'competingflows',
  handover: 'migration',
};

interface FormerField {
  readonly now: string;
  /** Keys whose value has it for a field; the empty text: the document itself. */
  readonly within: readonly string[];
}

/** Fields that plans and other documents of before call otherwise, by the name of then. */
const formerFields: Readonly<Record<string, FormerField>> = {
  looks: { now: 'interims', within: ['', 'plan', 'gate', 'quick', 'standard', 'paper'] },
  plannedLooks: { now: 'plannedInterims', within: ['', 'gate'] },
  honours: { now: 'applies', within: ['workloads'] },
  leastShare: { now: 'minShare', within: ['flameGraphs'] },
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
  const fieldNow = (field: string, holder: string): string => {
    const { now, within } = ownEntry(formerFields, field) ?? { now: field, within: [] };
    if (!within.includes(holder)) return field;
    former.add(field);
    return now;
  };
  const renamed = (part: unknown, holder: string, depth: number): unknown => {
    if (typeof part === 'string') return part.replaceAll(inArm, (_, name: string) => `+${nameNow(name)}`);
    if (typeof part !== 'object' || part === null || depth > maxDepth) return part;
    if (Array.isArray(part)) return part.map((item) => renamed(item, holder, depth + 1));
    const currentKey = assignments.includes(holder) ? nameNow : (key: string) => fieldNow(key, holder);
    const entries = Object.entries(part).map(([key, item]): [string, unknown] => [
      currentKey(key),
      renamed(item, key, depth + 1),
    ]);
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
