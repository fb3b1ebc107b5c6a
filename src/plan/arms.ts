import { armParts, armText, clientAndProtocol, repeatMark } from '../core/factors/arm-text.ts';
import {
  differingFactors,
  factorNames,
  factorOf,
  factorsSetIn,
  type FactorName,
} from '../core/factors/registry.ts';
import { valueOf } from '../core/factors/values.ts';
import { H2h3Error } from '../core/model/errors.ts';
import type { Factors } from '../core/model/factor.ts';
import { didYouMean } from '../core/model/nearest-name.ts';
import type { Arm } from '../core/model/plan.ts';
import { armProtocolSchema } from '../core/model/protocol.ts';

/** An arm as people write it: `h3`, `chromium@153:h3+congestion=bbr`, or an object of factors, with a label if wanted. */
export type ArmInput = string | (Factors & { readonly label?: string | undefined });

const expected =
  'h1, h2, h3, auto, client:protocol such as chromium@148:h3, and factors behind it such as h3+server=nginx';

function usage(text: string, message: string, next?: string): H2h3Error {
  return new H2h3Error('usage', message, {
    context: { expected, got: text },
    ...(next === undefined ? {} : { next }),
  });
}

/** A `+word=` that is no factor's name was most likely meant to be one, unless the value is free text. */
function requireKnownFactors(text: string, values: readonly string[]): void {
  for (const value of values) {
    const unknown = /\+([A-Za-z]+)=/.exec(value)?.[1];
    if (unknown === undefined) continue;
    throw usage(
      text,
      `arm "${text}" sets an unknown factor "${unknown}"`,
      didYouMean(unknown, factorNames, `Factors: ${factorNames.join(', ')}.`),
    );
  }
}

function withFactor(factors: Factors, name: FactorName, value: string, text: string): Factors {
  if (factors[name] !== undefined) throw usage(text, `arm "${text}" sets ${name} twice`);
  if (value === '') {
    const [example] = factorOf(name).example.split(', ');
    throw usage(text, `arm "${text}" gives ${name} no value`, `Such as ${name}=${example}.`);
  }
  return { ...factors, [name]: value };
}

/** @throws H2h3Error `usage` for an unknown protocol or factor, a factor set twice or without a value */
function factorsOfText(text: string): Arm['factors'] {
  const { head, settings } = armParts(text);
  const bound = settings.filter(([name]) => factorOf(name).freeText !== true);
  requireKnownFactors(text, [head, ...bound.map(([, value]) => value)]);
  const named = clientAndProtocol(head);
  if (named === undefined) {
    const hint = /^[A-Z]/.test(text) ? 'Values with commas go into --arm, which is never split.' : '';
    const typed = head.slice(head.lastIndexOf(':') + 1);
    throw usage(
      text,
      `unknown arm "${text}"`,
      didYouMean(typed, armProtocolSchema.options, hint) || undefined,
    );
  }
  let factors: Factors = named.client === undefined ? {} : { client: named.client };
  for (const [name, value] of settings) {
    if (name === 'protocol') throw usage(text, `arm "${text}" sets protocol twice`);
    factors = withFactor(factors, name, value, text);
  }
  return { ...factors, protocol: named.protocol };
}

function parseArm(input: ArmInput): { label: string; factors: Arm['factors'] } {
  if (typeof input === 'string') return { label: input, factors: factorsOfText(input) };
  const { label, ...given } = input;
  const { protocol } = given;
  if (protocol === undefined)
    throw usage(JSON.stringify(input), 'an arm names no protocol', 'Add protocol: h2, h3, h1 or auto.');
  const factors = { ...inOrder(given), protocol };
  return { label: label ?? armText(factors), factors };
}

/** The factors that are set, in the order of the registry. */
function inOrder(given: Factors): Factors {
  return Object.fromEntries(factorsSetIn(given).map(({ id }) => [id, given[id]]));
}

/** @throws H2h3Error `usage` for a value that cannot be one of its factor */
function requireForms(label: string, factors: Factors): void {
  for (const factor of factorsSetIn(factors)) {
    try {
      valueOf(factor, factors[factor.id] ?? '');
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error)) throw thrown;
      throw new H2h3Error('usage', `arm "${label}": ${thrown.message}`, { context: thrown.context });
    }
  }
}

/** Safe in every file system and unique among the arms: names the arm in trial ids. */
function slugs(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const plain = label
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, '-')
      .replace(/^[-.]+|-+$/g, '')
      .slice(0, 60);
    let slug = plain;
    for (let count = 2; taken.has(slug); count++) slug = `${plain}-${count}`;
    taken.add(slug);
    return slug;
  });
}

/**
 * Arms from their written form. A repeated arm (an A/A comparison) is labelled `h2`, `h2#2`.
 *
 * @throws H2h3Error `usage` for what is no arm, or when two arms of one label set different factors
 */
export function parseArms(inputs: readonly ArmInput[]): Arm[] {
  const seen = new Map<string, number>();
  const arms = inputs.map((input) => {
    const { label, factors } = parseArm(input);
    requireForms(label, factors);
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return { label: count === 1 ? label : `${label}#${count}`, factors };
  });
  for (const arm of arms) {
    const first = arms.find(({ label }) => label === arm.label.replace(repeatMark, ''));
    if (first !== undefined && differingFactors(first.factors, arm.factors).length > 0)
      throw new H2h3Error('usage', `two arms are called "${first.label}" but set different factors`);
  }
  const names = slugs(arms.map(({ label }) => label));
  return arms.map((arm, index) => ({ ...arm, slug: names[index] ?? arm.label }));
}
