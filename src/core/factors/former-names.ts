import { ownEntry } from '../model/own-entry.ts';

/** Factors that plans, journals and command lines of before call otherwise, by the name of then. */
const formerNames: Readonly<Record<string, string>> = {
  beside: 'crosstraffic',
  rivals: 'competingflows',
  handover: 'migration',
};

const anyName = Object.keys(formerNames).join('|');
/** As an arm sets one: `h2+beside=download`. */
const inArm = new RegExp(String.raw`\+(${anyName})(?==)`, 'g');
/** Most texts hold none, and what was read of them need not be gone through. */
const inText = new RegExp(String.raw`\b(?:${anyName})\b["']?\s*[:=]`);
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

/** Names of factors in a plan, a record or flags as they are called today: those that are set, and those in arms. */
export function withCurrentNames(value: unknown): Renamed {
  const former = new Set<string>();
  const nameNow = (name: string): string => {
    const now = currentName(name);
    if (now !== name) former.add(name);
    return now;
  };
  const renamed = (part: unknown, isAssignment: boolean, depth: number): unknown => {
    if (typeof part === 'string') return part.replaceAll(inArm, (_, name: string) => `+${nameNow(name)}`);
    if (typeof part !== 'object' || part === null || depth > maxDepth) return part;
    if (Array.isArray(part)) return part.map((item) => renamed(item, isAssignment, depth + 1));
    const entries = Object.entries(part).map(([key, item]): [string, unknown] => [
      isAssignment ? nameNow(key) : key,
      renamed(item, assignments.includes(key), depth + 1),
    ]);
    return Object.fromEntries(entries);
  };
  return { value: renamed(value, false, 0), former: [...former] };
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
  const pairs = former.map((name) => `${name} is now ${currentName(name)}`);
  return [`Factors have new names: ${pairs.join(', ')}. The old names are still read.`];
}
