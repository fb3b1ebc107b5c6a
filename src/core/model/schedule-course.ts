// Factors use this file: it brings no schema library along.

/** What a direction of a link is set to for a time; what is absent stays as the direction has it. */
export interface Figures {
  /** 0: the link stands still, and what comes waits in its queue. */
  readonly rateMbps?: number | undefined;
  readonly delayMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly lossPercent?: number | undefined;
  /** Nothing passes, and nothing waits. */
  readonly outage?: true | undefined;
  /** Of the packets that come in this time so many are lost, from the first on. */
  readonly lostPackets?: number | undefined;
  /** Of each connection the packet of this number is lost, from 1, if it comes in this time. */
  readonly lostOfEach?: number | undefined;
  /** Of each connection that has carried so many bytes the packet before the next pause is lost, if that is in this time. */
  readonly lostTailAfterBytes?: number | undefined;
}

/** An entry of a schedule, as people write it. */
export interface ScheduleItem extends Figures {
  /** From navigation start; of an item that repeats, from the beginning of its round. */
  readonly atMs: number;
  /** Absent: until the next item of its kind, or for ever. */
  readonly forMs?: number | undefined;
  /** A round of what repeats; all such items of a direction have the same. Absent: it comes once. */
  readonly everyMs?: number | undefined;
}

/** Holds until the next step. */
export interface CourseStep extends Figures {
  readonly startMs: number;
}

/** A direction's schedule, part after part. Both lists begin at 0 where they have steps. */
export interface Course {
  /** From navigation start on; these figures have precedence. */
  readonly once: readonly CourseStep[];
  readonly repeating: readonly CourseStep[];
  /** After it what repeats begins again; 0: nothing does. */
  readonly roundMs: number;
}

/** What differs from the direction's own figures, and from when to when after navigation start. */
export interface Stretch extends Figures {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A stretch shorter than this is a rounding error. */
const minStretchMs = 0.001;

const comesOnce = ({ everyMs }: ScheduleItem): boolean => everyMs === undefined;

/** An item's figures alone. */
function figuresOf({ rateMbps, delayMs, jitterMs, lossPercent, outage, ...chosen }: Figures): Figures {
  const { lostPackets, lostOfEach, lostTailAfterBytes } = chosen;
  return {
    ...(rateMbps === undefined ? {} : { rateMbps }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    ...(lossPercent === undefined ? {} : { lossPercent }),
    ...(outage === undefined ? {} : { outage }),
    ...(lostPackets === undefined ? {} : { lostPackets }),
    ...(lostOfEach === undefined ? {} : { lostOfEach }),
    ...(lostTailAfterBytes === undefined ? {} : { lostTailAfterBytes }),
  };
}

/** When an item is over: after its time, or when the next one begins. */
function endOf({ atMs, forMs }: ScheduleItem, next: ScheduleItem | undefined): number {
  return forMs === undefined ? (next?.atMs ?? Infinity) : atMs + forMs;
}

function stepsOf(items: readonly ScheduleItem[], endMs: number): CourseStep[] {
  const [first] = items;
  if (first === undefined) return [];
  const before: CourseStep[] = first.atMs > 0 ? [{ startMs: 0 }] : [];
  return [
    ...before,
    ...items.flatMap((item, index): CourseStep[] => {
      const next = items[index + 1];
      const overMs = endOf(item, next);
      const gapMs = (next?.atMs ?? endMs) - overMs;
      return [
        { startMs: item.atMs, ...figuresOf(item) },
        ...(Number.isFinite(overMs) && gapMs > 0 ? [{ startMs: overMs }] : []),
      ];
    }),
  ];
}

/** The course that a schedule gives; of a file that repeats as a whole, its steps and their length. */
export function courseOf(
  items: readonly ScheduleItem[],
  file: Pick<Course, 'repeating' | 'roundMs'> | null,
): Course {
  const once = stepsOf(items.filter(comesOnce), Infinity);
  if (file !== null) return { once, ...file };
  const rounds = items.filter((item) => !comesOnce(item));
  const roundMs = rounds[0]?.everyMs ?? 0;
  return { once, repeating: stepsOf(rounds, roundMs), roundMs };
}

/** The index of the last step that has begun by then. */
function indexAt(steps: readonly CourseStep[], timeMs: number): number {
  let from = 0;
  for (let to = steps.length; to - from > 1;) {
    const middle = Math.floor((from + to) / 2);
    if ((steps[middle]?.startMs ?? 0) <= timeMs) from = middle;
    else to = middle;
  }
  return from;
}

/** What steps set at a time, and for how long yet; `roundMs` 0: the last step holds for ever. */
function setAt(
  steps: readonly CourseStep[],
  timeMs: number,
  roundMs: number,
): { readonly figures: Figures; readonly leftMs: number } {
  if (steps.length === 0) return { figures: {}, leftMs: Infinity };
  const inRoundMs = roundMs === 0 ? timeMs : timeMs % roundMs;
  const index = indexAt(steps, inRoundMs);
  const endMs = steps[index + 1]?.startMs ?? (roundMs === 0 ? Infinity : roundMs);
  return { figures: figuresOf(steps[index] ?? {}), leftMs: Math.max(minStretchMs, endMs - inRoundMs) };
}

/** What a course sets from navigation start to `untilMs`, where what repeats begins at `offsetMs` of its round. */
export function stretchesOf(
  { once, repeating, roundMs }: Course,
  offsetMs: number,
  untilMs: number,
): Stretch[] {
  const stretches: Stretch[] = [];
  for (let fromMs = 0; fromMs < untilMs;) {
    const again = setAt(repeating, fromMs + offsetMs, roundMs);
    const now = setAt(once, fromMs, 0);
    const toMs = Math.min(untilMs, fromMs + Math.min(again.leftMs, now.leftMs));
    const figures = { ...again.figures, ...now.figures };
    if (Object.keys(figures).length > 0) stretches.push({ fromMs, toMs, ...figures });
    fromMs = toMs;
  }
  return stretches;
}

/** A slower link stands still: its packets take longer than a trial waits for them. */
export const minRateMbps = 0.001;

/** Whether nothing gets through. */
export function isSilent({ outage, rateMbps = minRateMbps, lossPercent }: Figures): boolean {
  return outage === true || rateMbps < minRateMbps || lossPercent === 100;
}

/** No longer silence than this: a trial's deadline would pass without a byte. */
export const maxSilenceMs = 60_000;

/** A time in which nothing passes, or something does. */
export interface PathPart {
  readonly lengthMs: number;
  readonly silent: boolean;
}

/**
 * The first part by whose end nothing has passed for longer than a trial may take, and for how long by then; undefined where
 * there is none.
 *
 * @param isRound whether the first part follows the last one, again and again
 */
export function tooLongSilence(
  parts: readonly PathPart[],
  isRound: boolean,
): { readonly index: number; readonly silenceMs: number } | undefined {
  let silenceMs = 0;
  // Twice round, because silence may reach over the end into the beginning.
  for (const [place, { lengthMs, silent }] of [...parts, ...(isRound ? parts : [])].entries()) {
    silenceMs = silent ? silenceMs + lengthMs : 0;
    if (silenceMs > maxSilenceMs) return { index: place % parts.length, silenceMs };
  }
  const isSilentForEver = isRound && parts.length > 0 && parts.every(({ silent }) => silent);
  return isSilentForEver ? { index: 0, silenceMs: Infinity } : undefined;
}

/** Shorter than the emulator can tell times apart. */
const minMs = 1;
/** Of what repeats, on average: shorter ones would fill a trial's evidence. */
export const minMeanStepMs = 10;

interface ScheduleFault {
  /** Of the item. */
  readonly index: number;
  readonly field: keyof ScheduleItem;
  readonly message: string;
}

interface Placed {
  readonly item: ScheduleItem;
  readonly index: number;
}

/** What is wrong with an item, given the one of its kind before it. */
function faultOf({ item, index }: Placed, before: ScheduleItem | undefined): ScheduleFault | undefined {
  const { atMs, forMs, everyMs, outage } = item;
  const set = Object.keys(figuresOf(item)).length;
  const fault = (field: keyof ScheduleItem, message: string): ScheduleFault => ({ index, field, message });
  if (set === 0)
    return fault(
      'atMs',
      'it changes nothing: name a rate, a delay, jitter, a loss, lost packets or an outage',
    );
  if (outage === true && set > 1)
    return fault('outage', 'nothing passes in an outage, so nothing else is set');
  if (forMs !== undefined && forMs < minMs) return fault('forMs', `${forMs} ms is shorter than ${minMs} ms`);
  if (before !== undefined && atMs <= before.atMs)
    return fault('atMs', `the schedule goes backwards: ${atMs} ms after ${before.atMs} ms`);
  if (before?.forMs !== undefined && atMs < before.atMs + before.forMs)
    return fault(
      'atMs',
      `${atMs} ms is before the end of the item before it, ${before.atMs + before.forMs} ms`,
    );
  if (everyMs !== undefined && before?.everyMs !== undefined && everyMs !== before.everyMs)
    return fault(
      'everyMs',
      `it repeats every ${everyMs} ms, and the item before it every ${before.everyMs} ms`,
    );
  if (everyMs !== undefined && atMs + (forMs ?? 0) > everyMs)
    return fault('everyMs', `it ends after ${atMs + (forMs ?? 0)} ms, and its round after ${everyMs} ms`);
  return undefined;
}

interface PlacedPart extends PathPart {
  /** Of the item that it is, or that it comes after. */
  readonly index: number;
}

/** Items of one kind and the times between them. */
function partsOf(kind: readonly Placed[]): PlacedPart[] {
  const [first] = kind;
  return kind
    .flatMap(({ item, index }, place) => {
      const { atMs, everyMs = Infinity } = item;
      const next = kind[place + 1]?.item;
      const endMs = Math.min(endOf(item, next), everyMs);
      const nextMs = next?.atMs ?? everyMs + (first?.item.atMs ?? 0);
      const gapMs = Number.isFinite(endMs) ? nextMs - endMs : 0;
      return [
        { index, silent: isSilent(item), lengthMs: endMs - atMs },
        { index, silent: false, lengthMs: gapMs },
      ];
    })
    .filter(({ lengthMs }) => lengthMs > 0);
}

/** What is wrong with items of one kind together. */
function faultOfAll(kind: readonly Placed[]): ScheduleFault | undefined {
  const [{ index = 0, item: { everyMs } = {} } = {}] = kind;
  const parts = partsOf(kind);
  if (everyMs !== undefined && everyMs / parts.length < minMeanStepMs)
    return {
      index,
      field: 'everyMs',
      message: `a round of ${everyMs} ms changes ${parts.length} times, more often than every ${minMeanStepMs} ms on average`,
    };
  const silence = tooLongSilence(parts, everyMs !== undefined);
  if (silence === undefined) return undefined;
  const { silenceMs } = silence;
  return {
    index: parts[silence.index]?.index ?? 0,
    field: 'forMs',
    message: `nothing passes for ${Number.isFinite(silenceMs) ? `${silenceMs} ms` : 'ever'}, longer than a trial may take (${maxSilenceMs} ms)`,
  };
}

/** What is wrong with a schedule: items that go backwards, overlap, change nothing or too often, or are silent for too long. */
export function faultsOfSchedule(items: readonly ScheduleItem[]): ScheduleFault[] {
  const placed = items.map((item, index) => ({ item, index }));
  const kinds = [placed.filter(({ item }) => comesOnce(item)), placed.filter(({ item }) => !comesOnce(item))];
  return kinds.flatMap((kind) => {
    const faults = kind.flatMap((one, place) => faultOf(one, kind[place - 1]?.item) ?? []);
    return faults.length > 0 ? faults : (faultOfAll(kind) ?? []);
  });
}

/** Packets that are lost by their place, in words; undefined where there are none. */
export function chosenLossWords({
  lostPackets,
  lostOfEach,
  lostTailAfterBytes,
}: Figures): string | undefined {
  const words = [
    ...(lostPackets === undefined
      ? []
      : [lostPackets === 1 ? 'the first packet is lost' : `the first ${lostPackets} packets are lost`]),
    ...(lostOfEach === undefined ? [] : [`packet ${lostOfEach} of each connection is lost`]),
    ...(lostTailAfterBytes === undefined
      ? []
      : [`the last packet before a pause is lost after ${lostTailAfterBytes / 1000} kB of a connection`]),
  ];
  return words.length === 0 ? undefined : words.join(' and ');
}
