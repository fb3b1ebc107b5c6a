import type { ExposureUnit } from '../model/rare-events.ts';

/** Numbers among those of a trial that say how much was watched. */
export const exposureNames = ['playedSeconds', 'messagesSent', 'uploadsMade'] as const;
export type ExposureName = (typeof exposureNames)[number];

/**
 * Of a count, or a time, of events that a whole run may never see: none seen is no proof of none. What the run watched bounds their rate
 * (the rule of three), and no two arms are called equal while the bound of the difference reaches beyond the margin.
 */
export interface RareEvents {
  /** The metric that counts them. */
  readonly count: string;
  /** One of them, and several. */
  readonly nouns: readonly [one: string, many: string];
  readonly exposure: ExposureName;
  /** So much exposure is one unit, in which rates and amounts watched are told: 3600 s are an hour of play. */
  readonly unitExposure: number;
  readonly unit: ExposureUnit;
  /** A difference of rates that does not matter, events for each unit. */
  readonly marginPerUnit: number;
}

/** A session shorter than this is no watching: a player's buffer alone holds 12 to 30 s, so that no stall could be seen. */
export const minPlayedSeconds = 60;

const secondsPerHour = 3600;

/** Events of a video session, told for an hour of play. */
export function whilePlaying(count: string, nouns: RareEvents['nouns'], marginPerHour: number): RareEvents {
  return {
    count,
    nouns,
    exposure: 'playedSeconds',
    unitExposure: secondsPerHour,
    unit: 'hour of play',
    marginPerUnit: marginPerHour,
  };
}

/** What happens to messages, told for 1000 of them. */
export function amongMessages(count: string, nouns: RareEvents['nouns']): RareEvents {
  return {
    count,
    nouns,
    exposure: 'messagesSent',
    unitExposure: 1000,
    unit: '1000 messages',
    marginPerUnit: 1,
  };
}

/** One stall in a hundred uploads is taken for none. */
export const uploadStalls: RareEvents = {
  count: 'uploadStallCount',
  nouns: ['stall', 'stalls'],
  exposure: 'uploadsMade',
  unitExposure: 100,
  unit: '100 uploads',
  marginPerUnit: 1,
};

/**
 * Stalls of three seconds at this rate take half a per cent of the time, the margin of the stall ratio: half of the per cent from which
 * on viewers were seen to watch less (Krishnan & Sitaraman, IMC 2012).
 */
const stallsPerHour = 6;
export const networkStalls = whilePlaying('stallCount', ['stall', 'stalls'], stallsPerHour);
export const decodeStalls = whilePlaying(
  'decodeStallCount',
  ['decode stall', 'decode stalls'],
  stallsPerHour,
);

/** One per cent of the frames of an hour at 30 a second, as the margin of a session has it. */
export const framesPerHour = 1080;
