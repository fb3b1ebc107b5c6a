import { z } from 'zod';
import { overfullBy, type Held } from './path-room.ts';
import { hasQueue, isManaged, queueKinds, queueTitles } from './queue-kind.ts';
import {
  chosenLossWords,
  faultsOfSchedule,
  isSilent,
  minRateMbps,
  type ScheduleItem,
} from './schedule-course.ts';
import { scheduleItemSchema } from './schedule.ts';

const percent = z.number().min(0).max(100);
const milliseconds = z.number().min(0).max(60_000);

/** Loss in bursts: at each packet the path may change between a good and a bad state (Gilbert 1960, Elliott 1963). */
export const gilbertElliottSchema = z.strictObject({
  goodToBadPercent: percent.gt(0),
  badToGoodPercent: percent.gt(0),
  lossInGoodPercent: percent.default(0),
  lossInBadPercent: percent.default(100),
});

export const traceGenerators = ['4g-walking', '4g-driving', '5g-walking', '5g-driving'] as const;
export type TraceGenerator = (typeof traceGenerators)[number];

/** Where a rate that varies with time comes from. `capMbps`: rates above are cut to it, because the backend carries no more. */
export const traceSourceSchema = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.enum(['seconds-mbps', 'mahimahi']),
    file: z.string().min(1),
    capMbps: z.number().positive().max(10_000).optional(),
  }),
  z.strictObject({
    format: z.literal('generated'),
    generator: z.enum(traceGenerators),
    seed: z.number().int().min(0).max(0xffffffff).default(1),
    durationSeconds: z.number().int().min(10).max(86_400).default(3600),
    /** Multiplies every rate, such as for an uplink that is a share of the downlink. */
    scale: z.number().positive().max(1).default(1),
    capMbps: z.number().positive().max(10_000).optional(),
  }),
]);
export type TraceSource = z.infer<typeof traceSourceSchema>;

/** Of a queue that counts packets; the rest is for those under way. */
const maxQueuePackets = 60_000;

/** What is wrong with an item of a schedule, given the figures of its direction; undefined where nothing is. */
export function misfitOf(
  item: ScheduleItem,
  { jitterMs, ...direction }: Held & { readonly jitterMs: number },
): readonly [field: keyof ScheduleItem, message: string] | undefined {
  if (item.rateMbps !== undefined && direction.rateMbps === null)
    return ['rateMbps', 'a rate can change where the direction has a rateMbps of its own'];
  const delay = item.delayMs ?? direction.delayMs;
  const jitter = item.jitterMs ?? jitterMs;
  if (jitter > delay) return ['jitterMs', `jitter of ${jitter} ms cannot exceed the delay of ${delay} ms`];
  // What the direction has itself is told of the direction.
  const changed = (['delayMs', 'rateMbps'] as const).find((field) => item[field] !== undefined);
  if (changed === undefined) return undefined;
  const rateMbps = item.rateMbps ?? direction.rateMbps;
  const overfull = overfullBy({ ...direction, rateMbps, delayMs: delay });
  return overfull === undefined ? undefined : [changed, overfull.words];
}

/**
 * One direction of a path. A packet meets, in this order: loss; a queue in front of a link of this rate; the
 * delay. Rates and queues count IP bytes (header and payload of the IP packet, no link header).
 */
export const directionSpecSchema = z
  .strictObject({
    /** Null: no limit, or a trace. */
    rateMbps: z.number().min(minRateMbps).max(10_000).nullable().default(null),
    trace: traceSourceSchema.optional(),
    /** Bytes that may wait for the link; null where there is no rate to wait for, or the queue counts packets. */
    queueBytes: z.number().int().min(3000).nullable().default(null),
    /** Packets of any size that may wait for the link, the one that it sends included: so the queues of netem and pfifo count. */
    queuePackets: z.number().int().min(2).max(maxQueuePackets).optional(),
    /** Absent: drop-tail. */
    queue: z.enum(queueKinds).optional(),
    /** Independent loss of each packet. */
    lossPercent: percent.default(0),
    gilbertElliott: gilbertElliottSchema.optional(),
    /** One way. */
    delayMs: milliseconds.default(0),
    /** The delay varies uniformly by up to this much either way, without reordering. */
    jitterMs: milliseconds.default(0),
    /** A fault for tests: what opens a connection (TCP SYN, the client's first QUIC Initial) is held back so long. */
    connectDelayMs: milliseconds.optional(),
    /** Share of packets that skip the delay and so overtake others. */
    reorderPercent: percent.default(0),
    /** Share of packets behind which a copy follows; absent: none. */
    duplicatePercent: percent.optional(),
    /** What changes with time. What comes once counts from navigation start; what repeats begins where the block says, as traces do. */
    schedule: z.array(scheduleItemSchema).min(1).max(10_000).optional(),
    /** A file of times and figures that is followed from its beginning to its end, and again. */
    scheduleFile: z.string().min(1).optional(),
  })
  .refine((direction) => direction.rateMbps === null || direction.trace === undefined, {
    message: 'a direction has a rate or a trace, not both',
    path: ['trace'],
  })
  .refine((direction) => direction.lossPercent === 0 || direction.gilbertElliott === undefined, {
    message: 'a direction has lossPercent or gilbertElliott, not both',
    path: ['gilbertElliott'],
  })
  .refine(
    (direction) =>
      direction.queueBytes !== null || direction.queuePackets !== undefined || !hasQueue(direction),
    { message: 'a rate or a trace needs a queue in bytes (at least 3000)', path: ['queueBytes'] },
  )
  .refine(({ queueBytes, queuePackets }) => queueBytes === null || queuePackets === undefined, {
    message: 'a queue counts bytes or packets, not both',
    path: ['queuePackets'],
  })
  .refine((direction) => direction.queuePackets === undefined || !isManaged(direction), {
    message: 'a managed queue counts bytes',
    path: ['queuePackets'],
  })
  .refine((direction) => direction.queue === undefined || hasQueue(direction), {
    message: 'nothing waits in a queue without a rate or a trace',
    path: ['queue'],
  })
  .refine((direction) => direction.jitterMs <= direction.delayMs, {
    message: 'jitter cannot exceed the delay',
    path: ['jitterMs'],
  })
  .refine((direction) => direction.reorderPercent === 0 || direction.delayMs > 0, {
    message: 'reordering needs a delay that packets can skip',
    path: ['reorderPercent'],
  })
  .refine(
    ({ schedule = [], scheduleFile }) =>
      scheduleFile === undefined || schedule.every(({ everyMs }) => everyMs === undefined),
    { message: 'the file repeats, so no item of the schedule can', path: ['schedule'] },
  )
  .superRefine((direction, issues) => {
    const { schedule = [], queuePackets } = direction;
    const overfull = overfullBy(direction);
    const queue = queuePackets === undefined ? 'queueBytes' : 'queuePackets';
    if (overfull !== undefined)
      issues.addIssue({
        code: 'custom',
        path: [overfull.by === 'delay' ? 'delayMs' : queue],
        message: overfull.words,
      });
    const complain = (index: number, field: string, message: string): void =>
      issues.addIssue({ code: 'custom', path: ['schedule', index, field], message });
    for (const { index, field, message } of faultsOfSchedule(schedule)) complain(index, field, message);
    schedule.forEach((item, index) => {
      const [field, message] = misfitOf(item, direction) ?? [];
      if (field !== undefined && message !== undefined) complain(index, field, message);
    });
  });
export type DirectionSpec = z.infer<typeof directionSpecSchema>;

interface Directions {
  readonly duplex?: 'half' | undefined;
  readonly up: DirectionSpec;
  readonly down: DirectionSpec;
}

/** Why the directions of a half-duplex link cannot take turns, a clause; undefined where they can, or each has its own. */
export function halfDuplexLack({ duplex, up, down }: Directions): string | undefined {
  if (duplex === undefined) return undefined;
  const rateMbps = steadyRateMbps(up);
  if (rateMbps === null || rateMbps !== steadyRateMbps(down))
    return 'both directions of a half-duplex link have the same rateMbps, which does not change';
  if (up.queueBytes !== down.queueBytes || up.queuePackets !== down.queuePackets)
    return 'both directions of a half-duplex link have the same queue';
  return isManaged(up) || isManaged(down) ? 'the queue of a half-duplex link is drop-tail' : undefined;
}

/** A path by its figures: `up` from client to server, `down` from server to client. */
export const networkSpecSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][\w.-]*$/i, 'a name of letters, digits, dot, dash, underscore'),
    title: z.string(),
    /** Where the figures come from. */
    source: z.string(),
    /**
     * A link at its speed with nothing impaired: segmentation offloads stay on, because the cost of the stacks is what
     * is measured. Without it no packet larger than the MTU crosses the path.
     */
    offloads: z.boolean().default(false),
    /** Half: packets of both directions wait in one queue and take turns on one link. Absent: each direction has its own. */
    duplex: z.literal('half').optional(),
    up: directionSpecSchema,
    down: directionSpecSchema,
  })
  .superRefine((spec, issues) => {
    const lack = halfDuplexLack(spec);
    if (lack !== undefined) issues.addIssue({ code: 'custom', path: ['duplex'], message: lack });
  })
  .refine(
    ({ offloads, duplex, up, down }) =>
      !offloads ||
      [up, down].every(
        (network) =>
          duplex === undefined &&
          network.trace === undefined &&
          network.gilbertElliott === undefined &&
          network.queue === undefined &&
          network.queuePackets === undefined &&
          !isScheduled(network) &&
          network.lossPercent +
            network.delayMs +
            network.jitterMs +
            network.reorderPercent +
            (network.duplicatePercent ?? 0) +
            (network.connectDelayMs ?? 0) ===
            0,
      ),
    { message: 'with offloads nothing but a rate and a queue can be set', path: ['offloads'] },
  );
export type NetworkSpec = z.infer<typeof networkSpecSchema>;
/** As people write it: what is left out has its default. */
export type NetworkSpecInput = z.input<typeof networkSpecSchema>;

/** Whether something about a direction changes at times that are known beforehand. */
export function isScheduled({ schedule, scheduleFile }: DirectionSpec): boolean {
  return (schedule ?? scheduleFile) !== undefined;
}

/** Its rate, Mbit/s; null where there is none, or one that changes. */
export function steadyRateMbps({ rateMbps, schedule = [], scheduleFile }: DirectionSpec): number | null {
  return scheduleFile !== undefined || schedule.some((item) => item.rateMbps !== undefined) ? null : rateMbps;
}

/** Share of packets lost on average, 0 … 1, without what a schedule sets. */
export function meanLoss(direction: DirectionSpec): number {
  const states = direction.gilbertElliott;
  if (!states) return direction.lossPercent / 100;
  const bad = states.goodToBadPercent / (states.goodToBadPercent + states.badToGoodPercent);
  return (bad * states.lossInBadPercent + (1 - bad) * states.lossInGoodPercent) / 100;
}

/** Items of a schedule that are told one by one. */
const maxListedItems = 3;

function describeItem(item: ScheduleItem): string {
  const { atMs, forMs, everyMs, rateMbps, delayMs, jitterMs, lossPercent } = item;
  const chosen = chosenLossWords(item);
  const figures = [
    ...(rateMbps === undefined ? [] : [`${rateMbps} Mbit/s`]),
    ...(delayMs === undefined ? [] : [`${delayMs} ms one way`]),
    ...(jitterMs === undefined ? [] : [`± ${jitterMs} ms`]),
    ...(lossPercent === undefined ? [] : [`${lossPercent} % loss`]),
    ...(chosen === undefined ? [] : [chosen]),
  ];
  const what = isSilent(item) ? 'nothing passes' : figures.join(' and ');
  const until = forMs === undefined ? '' : ` for ${forMs} ms`;
  return `${what} at ${atMs} ms${until}${everyMs === undefined ? '' : ` of every ${everyMs} ms`}`;
}

function describeSchedule({ schedule = [], scheduleFile }: DirectionSpec): string[] {
  const told = schedule.slice(0, maxListedItems).map(describeItem);
  const more = schedule.length - told.length;
  return [
    ...(scheduleFile === undefined ? [] : [`changing as ${scheduleFile} says`]),
    ...told,
    ...(more > 0 ? [`${more} more changes`] : []),
  ];
}

function describeQueue({ queue = 'droptail', queueBytes, queuePackets }: DirectionSpec): string[] {
  if (queuePackets !== undefined) return [`${queueTitles[queue]} of ${queuePackets} packets`];
  return queueBytes === null ? [] : [`${queueTitles[queue]} of ${queueBytes} bytes`];
}

function describeDirection(name: string, direction: DirectionSpec): string {
  const { rateMbps, trace, lossPercent, gilbertElliott, delayMs, jitterMs, reorderPercent } = direction;
  const { connectDelayMs = 0, duplicatePercent = 0 } = direction;
  const cap = trace?.capMbps === undefined ? '' : ` capped at ${trace.capMbps} Mbit/s`;
  const rate = trace
    ? `trace ${trace.format === 'generated' ? `${trace.generator} (generated, seed ${trace.seed})` : trace.file}${cap}`
    : rateMbps === null
      ? 'no rate limit'
      : `${rateMbps} Mbit/s`;
  const parts = [
    rate,
    ...describeQueue(direction),
    `${delayMs} ms one way${jitterMs > 0 ? ` ± ${jitterMs} ms` : ''}`,
    gilbertElliott
      ? `${(100 * meanLoss(direction)).toPrecision(2)} % loss in bursts (Gilbert–Elliott)`
      : `${lossPercent} % loss`,
    ...(reorderPercent > 0 ? [`${reorderPercent} % reordered`] : []),
    ...(duplicatePercent > 0 ? [`${duplicatePercent} % twice`] : []),
    ...(connectDelayMs > 0 ? [`connecting held back ${connectDelayMs} ms`] : []),
    ...describeSchedule(direction),
  ];
  return `${name}: ${parts.join(', ')}`;
}

/** The path in words, both directions. */
export function describeNetwork(spec: NetworkSpec): string {
  const both = `${describeDirection('up', spec.up)}; ${describeDirection('down', spec.down)}`;
  return spec.duplex === undefined ? both : `${both}; both directions take turns on one link`;
}

/** What the path was set to, as far as a proof of times needs it. */
export const pathFactsSchema = z.object({
  /** Both delays together (ms); 0 where none is set. */
  roundTripMs: z.number(),
  /** Neither loss nor a trace nor a schedule nor jitter nor reordering nor copies: what is sent arrives when it should. */
  steady: z.boolean(),
  /** Rate towards the client, Mbit/s; absent where none is set or it varies. */
  rateMbps: z.number().optional(),
});
export type PathFacts = z.infer<typeof pathFactsSchema>;

/** Round trip without queueing (ms), and whether nothing about the path varies or is lost. */
export function pathFactsOf({ up, down }: NetworkSpec): PathFacts {
  const rateMbps = steadyRateMbps(down);
  const varies = (direction: DirectionSpec): boolean =>
    direction.trace !== undefined ||
    isScheduled(direction) ||
    meanLoss(direction) > 0 ||
    direction.jitterMs > 0 ||
    direction.reorderPercent > 0 ||
    (direction.duplicatePercent ?? 0) > 0;
  return {
    roundTripMs: up.delayMs + down.delayMs,
    steady: !varies(up) && !varies(down),
    ...(rateMbps === null ? {} : { rateMbps }),
  };
}
