import type { InterventionResult } from '../../src/core/model/diagnosis.ts';
import { formatShare, formatSigned } from './numbers.ts';

/** What an experiment said of a part of a difference, in one sentence. */
export function interventionSentence(result: InterventionResult): string {
  const { title, differenceMs, alteredDifferenceMs, changeMs, interval, expectedMs, blocks, confirms } =
    result;
  const { goneShare, goneInterval } = result;
  const range = `${formatSigned(interval[0])} to ${formatSigned(interval[1])} ms`;
  const said = confirms
    ? 'as expected of this cause'
    : `${formatSigned(expectedMs)} ms would be expected of this cause: not confirmed`;
  const gone =
    goneShare === undefined || goneInterval === undefined
      ? ''
      : ` ${signedShare(goneShare)} of it goes away (95 % interval ${goneInterval.map(signedShare).join(' to ')}).`;
  return `With ${title} the difference goes from ${formatSigned(differenceMs)} to ${formatSigned(alteredDifferenceMs)} ms (by ${formatSigned(changeMs)} ms, 95 % interval ${range}, ${blocks} blocks): ${said}.${gone}`;
}

/** With a sign where it is below zero: the difference grew. */
function signedShare(share: number): string {
  return `${share < 0 ? '−' : ''}${formatShare(share)}`;
}
