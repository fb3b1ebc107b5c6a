import type { MeasuredProperty, Sender } from '../../core/model/senders.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { valueDigits } from '../../core/model/rounding.ts';
import { lowered } from '../../core/model/sentence-case.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { quantileOfSorted } from '../statistics/quantile.ts';
import { senderProperties } from './properties.ts';
import { roomOf, type SenderProperty } from './sender-property.ts';
import { disturbanceOf } from './sender-path.ts';

type Trial = Pick<TrialRecord, 'blockIndex' | 'status' | 'factors' | 'metrics' | 'counters'> &
  Partial<Pick<TrialRecord, 'workload'>>;

/** Of one sender; in fewer blocks nothing is called by a verdict. */
export const minRepeats = 8;

const level = 0.95;

/**
 * Of each block the mean of its trials that tell the property: what happens to both in a block is one observation.
 *
 * @param read what of those trials: the property’s own value, or another
 */
function valuesByBlock(
  property: SenderProperty,
  trials: readonly Trial[],
  read: (trial: Trial) => number | undefined = property.valueOf,
): Map<number, number> {
  const told = trials
    .filter((trial) => trial.status === 'ok' && property.readIn.includes(disturbanceOf(trial)))
    .filter((trial) => Number.isFinite(property.valueOf(trial)))
    .flatMap((trial) => {
      const value = read(trial);
      return value === undefined ? [] : [{ block: trial.blockIndex, value }];
    });
  return new Map(
    [...Map.groupBy(told, ({ block }) => block)].map(([block, those]) => [
      block,
      those.reduce((sum, { value }) => sum + value, 0) / those.length,
    ]),
  );
}

const medianOf = (values: readonly number[]): number | null =>
  quantileOfSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  ) ?? null;

/** A value with the unit of its property. */
export const formatQuantity = (value: number, unit: string): string => `${valueDigits(value)} ${unit}`;

/**
 * What the trials of one server over one protocol say of each property that they were made for. Over HTTP/3 a property without a figure of an RFC
 * is held to the server's own TCP, block by block.
 *
 * @param own trials of this sender
 * @param tcp trials of the same server over HTTP/2, in the same blocks
 */
export function fingerprint(
  protocol: Sender['protocol'],
  own: readonly Trial[],
  tcp: readonly Trial[],
): MeasuredProperty[] {
  const met = new Set(own.map(disturbanceOf));
  return senderProperties
    .filter(({ readIn, over = protocol }) => over === protocol && readIn.some((each) => met.has(each)))
    .flatMap((property) => {
      const values = valuesByBlock(property, own);
      const measured = [...values.values()];
      // No sender is held to it, so that nothing is missing.
      if (measured.length === 0 && property.isOfClient === true) return [];
      const facts = {
        property: property.id,
        median: medianOf(measured),
        interval: intervalOf(measured),
        count: measured.length,
      };
      const limits = valuesByBlock(property, own, (trial) => property.allowed?.(protocol, trial));
      const allowed = medianOf([...limits.values()]);
      const judged =
        facts.median === null || measured.length < minRepeats
          ? tooFew(property, measured.length)
          : allowed !== null
            ? againstRfc(property, facts.median, allowed, differencesOf(values, limits))
            : protocol === 'h2' || property.isOfClient === true
              ? reference(property, facts.median)
              : againstTcp(property, facts.median, values, valuesByBlock(property, tcp));
      return [{ ...facts, ...(allowed === null ? {} : { allowed }), ...judged }];
    });
}

type Judged = Pick<MeasuredProperty, 'verdict' | 'times' | 'sentence'>;

function intervalOf(values: readonly number[]): [number, number] | null {
  const interval = medianInterval(values, level);
  return interval === null ? null : [interval[0], interval[1]];
}

function tooFew({ title, isOfClient }: SenderProperty, count: number): Judged {
  return {
    verdict: isOfClient === true ? 'reference' : 'not-decided',
    sentence:
      count === 0
        ? `no trial tells it: ${lowered(title)}`
        : `${count} of ${minRepeats} repeats tell it, which are too few`,
  };
}

function reference({ unit, isOfClient }: SenderProperty, median: number): Judged {
  const why = isOfClient === true ? 'which the client decides' : 'which its HTTP/3 is compared with';
  return {
    verdict: 'reference',
    sentence: `${formatQuantity(median, unit)}, ${why}`,
  };
}

/** Of the blocks that have both. */
function differencesOf(values: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): number[] {
  return [...values].flatMap(([block, value]) => {
    const other = others.get(block);
    return other === undefined ? [] : [value - other];
  });
}

/** @param excess by which each block is above what is allowed there */
function againstRfc(
  { unit, consequence }: SenderProperty,
  median: number,
  allowed: number,
  excess: readonly number[],
): Judged {
  const limit = formatQuantity(allowed, unit);
  const interval = medianInterval(excess, level);
  if (interval === null || (interval[0] <= 0 && interval[1] > 0))
    return {
      verdict: 'not-decided',
      sentence: `${formatQuantity(median, unit)}: the interval holds the ${limit} that are allowed`,
    };
  if (interval[1] <= 0)
    return { verdict: 'as-rfc', sentence: `${formatQuantity(median, unit)}, at most ${limit} are allowed` };
  const times = median / allowed;
  return {
    verdict: 'differs',
    times,
    sentence: `${formatQuantity(median, unit)} where at most ${limit} are allowed: ${consequence}`,
  };
}

function againstTcp(
  property: SenderProperty,
  median: number,
  values: ReadonlyMap<number, number>,
  tcp: ReadonlyMap<number, number>,
): Judged {
  const { unit, consequence, consequenceOfLess } = property;
  const pairs = [...values].flatMap(([block, value]) => {
    const other = tcp.get(block);
    return other === undefined ? [] : [{ difference: value - other, other }];
  });
  const usual = medianOf(pairs.map(({ other }) => other));
  const interval = medianInterval(
    pairs.map(({ difference }) => difference),
    level,
  );
  if (usual === null || interval === null || pairs.length < minRepeats)
    return {
      verdict: 'not-decided',
      sentence: `${pairs.length} of ${minRepeats} blocks have both protocols`,
    };
  const room = roomOf(property, usual);
  const both = `${formatQuantity(median, unit)}, its TCP ${formatQuantity(usual, unit)}`;
  const [low, high] = interval;
  if (low >= -room && high <= room) return { verdict: 'as-own-tcp', sentence: both };
  if (low <= room && high >= -room) return { verdict: 'not-decided', sentence: both };
  const means = low > room ? consequence : consequenceOfLess;
  return {
    verdict: 'differs',
    ...(usual > 0 ? { times: median / usual } : {}),
    sentence: means === undefined ? both : `${both}: ${means}`,
  };
}
