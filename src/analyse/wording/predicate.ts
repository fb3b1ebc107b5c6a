import type { Amount } from './amount.ts';

/** How a verb stands: of one, of several, or behind `may`. */
export type VerbForm = 'one' | 'several' | 'may';

/** What is said of the subject of a metric, with room for how much: `show` its `main content` … `later`. */
export interface Predicate {
  /** As it stands behind `may`: `show`, `be`. */
  readonly verb: string;
  /** What it does that to, of its own: `main content` is `its` of one, and `their` of several. */
  readonly own?: string;
  /** What else stands before the amount: `the screen`. */
  readonly object?: string;
  /** To which side it changed, right behind the amount: `later`, `higher`. */
  readonly side: string;
  /** What stands behind that: `throughput`. */
  readonly rest?: string;
  /** Set where `12 times the throughput` says more of it than `higher throughput by a factor of 12`. */
  readonly isMultiple?: true;
}

type Head = Pick<Predicate, 'verb' | 'own' | 'object'>;

const joined = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(' ');

const formsOfBe = { one: 'is', several: 'are', may: 'be' } as const;

function conjugated(verb: string, form: VerbForm): string {
  if (verb === 'be') return formsOfBe[form];
  return form === 'one' ? `${verb}s` : verb;
}

/** The verb and what it is about: `show their main content`. */
export function headText({ verb, own, object }: Head, form: VerbForm): string {
  const owned = own === undefined ? undefined : `${form === 'one' ? 'its' : 'their'} ${own}`;
  return joined(conjugated(verb, form), owned, object);
}

/** All of it: `load 24 % slower`, `load faster by a factor of 3`, `get 12 times the throughput`; without an amount `load slower`. */
export function predicateText(predicate: Predicate, amount: Amount | null, form: VerbForm): string {
  const { side, rest, isMultiple } = predicate;
  const head = headText(predicate, form);
  if (amount?.factor === undefined) return joined(head, amount?.text, side, rest);
  return isMultiple === true
    ? joined(head, amount.factor, 'times the', rest)
    : joined(head, side, rest, 'by', amount.text);
}

/** To which side each goes, in a word. */
export function sidesOf({ more, less }: Readonly<Record<'more' | 'less', Predicate>>): {
  readonly more: string;
  readonly less: string;
} {
  return { more: more.side, less: less.side };
}

/** Both predicates of what happens sooner or later. */
export function soonerOrLater(head: Head): Readonly<Record<'more' | 'less', Predicate>> {
  return { more: { ...head, side: 'later' }, less: { ...head, side: 'sooner' } };
}

/** Both predicates of a rate. */
export function higherOrLower(head: Head, rate: string): Readonly<Record<'more' | 'less', Predicate>> {
  return {
    more: { ...head, side: 'higher', rest: rate, isMultiple: true },
    less: { ...head, side: 'lower', rest: rate },
  };
}
