import type { Factors } from '../model/factor.ts';
import type { Arm } from '../model/plan.ts';
import { factorsOfLabel, repeatMark } from './arm-text.ts';
import { protocolNames } from './participants.ts';
import { differingFactors, factorNames, factorOf, type FactorName } from './registry.ts';

type Named = Pick<Arm, 'label' | 'factors'>;

/** A value of a factor where it stands for itself: `HTTP/3`, `nginx`, `congestion control bbr`. */
export function valueName(name: FactorName, factors: Factors): string {
  const text = factors[name];
  const factor = factorOf(name);
  const { title, unsetLabel = `no ${title}` } = factor;
  if (text === undefined) return unsetLabel;
  if (factor.words !== undefined) return factor.words(text);
  return factor.preposition === undefined ? `${title} ${text}` : text;
}

function phrase(name: FactorName, factors: Factors): string {
  return `${factorOf(name).preposition ?? 'with'} ${valueName(name, factors)}`;
}

/** These factors where they stand for themselves: `nginx with congestion control bbr`. */
function valuesName([first, ...rest]: readonly FactorName[], factors: Factors): string {
  if (first === undefined) return '';
  return [valueName(first, factors), ...rest.map((name) => phrase(name, factors))].join(' ');
}

/** The same for an arm of which only the label is known, such as `chromium@153:h3`; a label of another form stays. */
export function armNameOfLabel(label: string): string {
  const arm = armOfLabel(label);
  return arm === undefined ? label : armName(arm);
}

/** Undefined for a label that says no protocol. */
export function armOfLabel(label: string): Named | undefined {
  const { protocol, ...rest } = factorsOfLabel(label);
  return protocol === undefined ? undefined : { label, factors: { protocol, ...rest } };
}

/** An assignment in words, with what sets a repeated arm apart. */
function factorsName(factors: Named['factors'], repeat: string): string {
  const others = factorNames.filter((name) => name !== 'protocol' && factors[name] !== undefined);
  const repeated = repeat === '' ? '' : repeat === 'candidate' ? ' (candidate)' : ` (arm ${repeat})`;
  return (
    [protocolNames[factors.protocol], ...others.map((name) => phrase(name, factors))].join(' ') + repeated
  );
}

/** An arm in words: `HTTP/3`, `HTTP/2 (arm 2)` for a repeated arm, `HTTP/2 (candidate)` for that of a gate, `HTTP/3 in Chromium 153 from nginx`. */
export function armName({ label, factors }: Named): string {
  const [, repeat = ''] = repeatMark.exec(label) ?? [];
  return factorsName(factors, repeat);
}

/** The same where the arm is the candidate of a gate: a repeated arm is then the candidate, whatever its number. */
export function candidateName({ label, factors }: Named): string {
  return factorsName(factors, repeatMark.test(label) ? 'candidate' : '');
}

/** The same for a candidate of which only the label is known. */
export function candidateNameOfLabel(label: string): string {
  const arm = armOfLabel(label);
  return arm === undefined ? label : candidateName(arm);
}

export interface PairNames {
  readonly baseline: string;
  readonly candidate: string;
  /** What both arms set alike, such as `over HTTP/3`; empty where they share nothing worth saying. */
  readonly shared: string;
  /** The same where it stands for itself: `HTTP/3`. */
  readonly sharedName: string;
}

/** The arms of a comparison, likewise; one that is not among these goes by its label. */
export function comparedNames(
  arms: readonly Named[],
  { baseline, candidate }: Readonly<Record<'baseline' | 'candidate', { readonly arm: string }>>,
): PairNames {
  const [first, second] = [baseline, candidate].map(({ arm }) => arms.find(({ label }) => label === arm));
  return first === undefined || second === undefined
    ? { baseline: baseline.arm, candidate: candidate.arm, shared: '', sharedName: '' }
    : pairNames(first, second);
}

/** The same for arms of which only the labels are known. */
export function pairNamesOfLabels(baseline: string, candidate: string): PairNames {
  const [first, second] = [baseline, candidate].map(armOfLabel);
  return first === undefined || second === undefined
    ? { baseline: armNameOfLabel(baseline), candidate: armNameOfLabel(candidate), shared: '', sharedName: '' }
    : pairNames(first, second);
}

/** Two arms by what differs between them, and what they share: nginx against caddy, over HTTP/3. */
export function pairNames(baseline: Named, candidate: Named): PairNames {
  const differing = differingFactors(baseline.factors, candidate.factors);
  if (differing.length === 0)
    return { baseline: armName(baseline), candidate: armName(candidate), shared: '', sharedName: '' };
  // Of what only the other arm sets nothing need be said here.
  const only = ({ factors }: Named): string =>
    valuesName(
      differing.filter((name, place) => place === 0 || factors[name] !== undefined),
      factors,
    );
  const common = factorNames.filter(
    (name) => !differing.includes(name) && baseline.factors[name] !== undefined,
  );
  return {
    baseline: only(baseline),
    candidate: only(candidate),
    shared: common.map((name) => phrase(name, baseline.factors)).join(' '),
    sharedName: valuesName(common, baseline.factors),
  };
}
