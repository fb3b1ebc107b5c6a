import { sentenceCase } from '../../core/model/sentence-case.ts';
import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import type { ExposureUnit, PlannedExposure, RareEventCounts } from '../../core/model/rare-events.ts';
import { counted } from '../figures/figures.ts';

export interface SideNames {
  readonly baseline: string;
  readonly candidate: string;
}

type Rate = RareEventCounts['baseline'];

interface UnitWords {
  /** So many units, as people say it. */
  readonly amount: (units: number) => string;
  /** Behind a rate. */
  readonly per: string;
}

const unitWords: Readonly<Record<ExposureUnit, UnitWords>> = {
  'hour of play': {
    amount: (hours) =>
      `${hours < 1 / 60 ? counted(Math.round(hours * 3600), 'second') : counted(Math.round(hours * 60), 'minute')} of play`,
    per: 'an hour',
  },
  '1000 messages': {
    amount: (thousands) => counted(Math.round(thousands * 1000), 'message'),
    per: 'in 1000 messages',
  },
  '100 uploads': {
    amount: (hundreds) => counted(Math.round(hundreds * 100), 'upload'),
    per: 'in 100 uploads',
  },
};

/** The largest rate that what was seen still allows, or null where nothing was watched. */
function largestRate(rates: readonly Rate[]): number | null {
  const bounds = rates.flatMap(({ rateUpperBound95 }) => rateUpperBound95 ?? []);
  return bounds.length < rates.length ? null : Math.max(...bounds);
}

/**
 * What was seen of rare events and what it leaves possible: `No stall in 12 minutes of play on either side: fewer than 15 an hour`,
 * `3 stalls in 12 minutes of play over HTTP/3, none over HTTP/2`. Without a full stop.
 */
export function rareEventClause(counts: RareEventCounts, names: SideNames): string {
  const { nouns, unit, baseline, candidate } = counts;
  const [one, many] = nouns;
  const { amount, per } = unitWords[unit];
  const eventsText = ({ events }: Rate): string =>
    events === 0 ? `no ${one}` : events === 1 ? `1 ${one}` : `${events} ${many}`;
  const watched = amount(Math.min(baseline.exposure, candidate.exposure));
  if (baseline.events === 0 && candidate.events === 0) {
    const bound = largestRate([baseline, candidate]);
    const allowed = bound === null ? '' : `: fewer than ${Math.ceil(bound)} ${per}`;
    return `No ${one} in ${watched} on either side${allowed}`;
  }
  const rest = candidate.events === 0 ? eventsText(baseline) : eventsText(candidate);
  const [first, second] =
    candidate.events === 0 ? [names.baseline, names.candidate] : [names.candidate, names.baseline];
  const other = candidate.events === 0 ? candidate : baseline;
  const text = `${rest} in ${watched} over ${first}, ${other.events === 0 ? 'none' : other.events} over ${second}`;
  return sentenceCase(text);
}

/** What a plan lets one see: `stalls: 6 minutes of play a side, so that none at all leaves fewer than 30 an hour. …`. Without a full stop. */
export function exposureClause(planned: PlannedExposure): string {
  const { nouns, unit, exposure, boundIfNone, margin, blocksToEqual } = planned;
  const [one, many] = nouns;
  const { amount, per } = unitWords[unit];
  const needed =
    blocksToEqual === null
      ? `More than ${maxBlocksNeeded} blocks without a ${one} would not show a difference below ${margin} ${per}`
      : `${counted(blocksToEqual, 'block')} without a ${one} show a difference below ${margin} ${per}`;
  return `${many}: ${amount(exposure)} a side. Without a ${one} that leaves fewer than ${Math.ceil(boundIfNone)} ${per}. ${needed}`;
}
