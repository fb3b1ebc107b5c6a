import { H2h3Error } from '../model/errors.ts';
import type { Factors } from '../model/factor.ts';
import { didYouMean } from '../model/nearest-name.ts';
import type { Applier } from './factor.ts';
import type { Form } from './forms.ts';
import {
  factorNamed,
  factorNames,
  factors,
  type AnyFactor,
  type FactorName,
  type RegisteredFactor,
} from './registry.ts';

type ValueOf<F> = F extends { readonly form: Form<infer Value> } ? Value : never;

/** Values of all factors, by name; one that is open is absent. */
export type FactorValues = { readonly [F in RegisteredFactor as F['id']]?: ValueOf<F> };

/** What of a factor this applier is given: its value, or what it is hinted. */
type Given<F extends RegisteredFactor, Who extends Applier> =
  Extract<F['appliedBy'][number], Who> extends never ? HintOf<NonNullable<F['hints']>, Who> : ValueOf<F>;
type HintOf<H, Who extends Applier> = {
  [W in keyof H & Who]: H[W] extends (value: never) => infer Hint ? Hint : never;
}[keyof H & Who];

/** What these appliers are given of an arm's factors, by name. */
export type ValuesFor<Who extends Applier> = {
  readonly [F in RegisteredFactor as Given<F, Who> extends never ? never : F['id']]?: Given<F, Who>;
};

/** @throws H2h3Error `usage` for a text that cannot be a value of this factor */
export function valueOf(factor: AnyFactor, text: string): unknown {
  const { words = 'any text' } = factor.form;
  const value = factor.form.read(text);
  if (value !== undefined) return value;
  throw new H2h3Error('usage', `invalid value "${text}" of ${factor.id}: ${words}`, {
    context: { expected: words, got: text },
  });
}

/** Assignments never change, and those of a trial are read many times over. */
const known = new WeakMap<Factors, FactorValues>();

/**
 * The values of what is set.
 *
 * @throws H2h3Error `usage` for a factor that there is not, or an invalid value
 */
export function valuesOf(texts: Factors): FactorValues {
  const values = known.get(texts) ?? readValues(texts);
  known.set(texts, values);
  return values;
}

function readValues(texts: Factors): FactorValues {
  const values = Object.entries(texts).flatMap(([name, text]) => {
    if (text === undefined) return [];
    const factor = factorNamed(name);
    if (factor === undefined) throw unknownFactor(name);
    return [[name, valueOf(factor, text)]];
  });
  return Object.freeze(Object.fromEntries(values)) as FactorValues;
}

function unknownFactor(name: string): H2h3Error {
  return new H2h3Error('usage', `there is no factor "${name}"`, {
    context: { expected: factorNames.join(', '), got: name },
    next: didYouMean(name, factorNames, '`npx h2h3 describe factors` lists them.'),
  });
}

/** What one of these appliers is given of what is set, in the order of the registry: equal assignments give equal texts. */
export function valuesFor<Who extends Applier>(who: readonly Who[], texts: Factors): ValuesFor<Who> {
  const values = valuesOf(texts);
  const given = factors.flatMap((factor): (readonly [FactorName, unknown])[] => {
    const value: unknown = values[factor.id];
    if (value === undefined) return [];
    if (mustApply(factor, value, who, texts)) return [[factor.id, value]];
    const hint = who.map((applier) => factor.hints?.[applier]).find((applier) => applier !== undefined);
    return hint === undefined ? [] : [[factor.id, hint(value)]];
  });
  return Object.fromEntries(given) as ValuesFor<Who>;
}

/** Whether one of these must do what the factor says. */
export function isAppliedBy({ appliedBy }: AnyFactor, who: readonly Applier[]): boolean {
  return who.some((applier) => appliedBy.includes(applier));
}

/** Whether one of these must do what the factor says with this very value, in an arm that speaks this. */
export function mustApply(
  factor: AnyFactor,
  value: unknown,
  who: readonly Applier[],
  arm: Pick<Factors, 'protocol'>,
): boolean {
  return appliersOf(factor, value, arm).some((applier) => who.includes(applier));
}

/** Who must do what the factor says with this value, in an arm that speaks this. */
export function appliersOf(
  factor: AnyFactor,
  value: unknown,
  { protocol }: Pick<Factors, 'protocol'>,
): readonly Applier[] {
  return factor.appliersOf?.(value, protocol) ?? factor.appliedBy;
}

/** Names of the factors that one of these must apply. */
export type AppliedBy<Who extends Applier> = {
  [F in RegisteredFactor as F['id']]: Extract<F['appliedBy'][number], Who> extends never ? never : F['id'];
}[FactorName];

/** Why one that does not apply a factor cannot have it, in words. */
export function unableReason({ id, unable = `does not know ${id}` }: AnyFactor, who: string): string {
  return `${who} ${unable}`;
}
