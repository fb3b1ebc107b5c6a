import { H2h3Error } from '../model/errors.ts';
import { armParts, differingFactors, factorDefinitions, factorNames } from '../model/factor.ts';
import { factorsSchema } from '../model/factors-schema.ts';
import type { FactorName, Factors } from '../model/factor.ts';
import { didYouMean } from '../model/nearest-name.ts';
import type { Arm } from '../model/plan.ts';
import { armProtocolSchema } from '../model/protocol.ts';

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
    const { example } = factorDefinitions.find((one) => one.name === name) ?? { example: 'a value' };
    throw usage(text, `arm "${text}" gives ${name} no value`, `Such as ${name}=${example.split(', ')[0]}.`);
  }
  return { ...factors, [name]: value };
}

/** @throws H2h3Error `usage` for an unknown protocol or factor, a factor set twice or without a value */
function factorsOfText(text: string): Arm['factors'] {
  const { head, settings } = armParts(text);
  const free: readonly FactorName[] = ['flags', 'url', 'fault'];
  requireKnownFactors(text, [
    head,
    ...settings.flatMap(([name, value]) => (free.includes(name) ? [] : value)),
  ]);
  const cut = head.lastIndexOf(':');
  const protocol = armProtocolSchema.safeParse(cut > 0 ? head.slice(cut + 1) : head);
  if (!protocol.success) {
    const hint = /^[A-Z]/.test(text) ? 'Values with commas go into --arm, which is never split.' : '';
    const typed = cut > 0 ? head.slice(cut + 1) : head;
    throw usage(
      text,
      `unknown arm "${text}"`,
      didYouMean(typed, armProtocolSchema.options, hint) || undefined,
    );
  }
  let factors: Factors = cut > 0 ? { client: head.slice(0, cut) } : {};
  for (const [name, value] of settings) {
    if (name === 'protocol') throw usage(text, `arm "${text}" sets protocol twice`);
    factors = withFactor(factors, name, value, text);
  }
  return { ...factors, protocol: protocol.data };
}

/** The written form of an assignment. */
function textOf(factors: Arm['factors']): string {
  const { protocol, client, ...rest } = factors;
  const others = factorNames.flatMap((name) =>
    name in rest && factors[name] !== undefined ? [`+${name}=${factors[name]}`] : [],
  );
  return `${client === undefined ? '' : `${client}:`}${protocol}${others.join('')}`;
}

function parseArm(input: ArmInput): { label: string; factors: Arm['factors'] } {
  if (typeof input === 'string') return { label: input, factors: factorsOfText(input) };
  const { label, ...given } = input;
  const factors = factorsSchema.parse(given);
  if (factors.protocol === undefined)
    throw usage(JSON.stringify(input), 'an arm names no protocol', 'Add protocol: h2, h3, h1 or auto.');
  const whole = { ...factors, protocol: factors.protocol };
  return { label: label ?? textOf(whole), factors: whole };
}

/** @throws H2h3Error `usage` for a value that cannot be one of its factor */
function requireForms(label: string, factors: Factors): void {
  for (const { name, form } of factorDefinitions) {
    const value = factors[name];
    if (value === undefined || form === undefined || form.pattern.test(value)) continue;
    throw new H2h3Error('usage', `arm "${label}": "${value}" is no value of ${name}: ${form.words}`, {
      context: { expected: form.words, got: value },
    });
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
    const first = arms.find(({ label }) => label === arm.label.replace(/#\d+$/, ''));
    if (first !== undefined && differingFactors(first.factors, arm.factors).length > 0)
      throw new H2h3Error('usage', `two arms are called "${first.label}" but set different factors`);
  }
  const names = slugs(arms.map(({ label }) => label));
  return arms.map((arm, index) => ({ ...arm, slug: names[index] ?? arm.label }));
}
