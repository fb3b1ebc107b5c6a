import { heldMessages, nearestRank, overtakenCount } from './evidence/messages.ts';
import { mean } from './evidence/numbers.ts';
import { numberAsDifference, timeAsDifference, timeAsRatio, type Metric } from './metric.ts';
import { amongMessages } from './rare-events.ts';

/** A time that a message takes. */
const delay = {
  ...timeAsRatio,
  margin: 0.05,
  kinds: ['messages'],
  onDeadline: 'missing',
} as const;

/** Something that happens to some messages. */
const mishap = {
  isPlural: true,
  ...numberAsDifference,
  margin: 0.5,
  kinds: ['messages'],
  onDeadline: 'missing',
} as const;

/** Delay, loss and order of messages. */
export const messageMetrics: readonly Metric[] = [
  {
    name: 'messageP50Ms',
    title: 'time of a message, median',
    meaning: 'From sending to echo: half of those that came back took no longer.',
    ...delay,
    formulas: {
      messages: ({ times }) => nearestRank(times.sortedMs, 0.5),
    },
  },
  {
    name: 'messageP90Ms',
    title: 'time of a message, 90th percentile',
    meaning: 'From sending to echo: 90 % of those that came back took no longer.',
    ...delay,
    formulas: {
      messages: ({ times }) => nearestRank(times.sortedMs, 0.9),
    },
  },
  {
    name: 'messageP99Ms',
    title: 'time of a message, 99th percentile',
    meaning: 'From sending to echo: 99 % of those that came back took no longer.',
    ...delay,
    formulas: {
      messages: ({ times }) => nearestRank(times.sortedMs, 0.99),
    },
  },
  {
    name: 'messageMeanMs',
    title: 'time of a message, mean',
    meaning: 'From sending to echo, of those that came back.',
    ...delay,
    formulas: {
      messages: ({ times }) => mean(times.sortedMs),
    },
  },
  {
    name: 'lostMessages',
    title: 'messages lost',
    meaning: 'Messages whose echo never came. Only datagrams may lose any.',
    ...mishap,
    rareEvents: amongMessages('lostMessages', ['lost message', 'lost messages']),
    formulas: {
      messages: ({ times }) => times.delaysMs.length - times.sortedMs.length,
    },
  },
  {
    name: 'reorderedMessages',
    title: 'messages overtaken',
    meaning: 'Messages whose echo came after that of a message sent later.',
    ...mishap,
    source: 'RFC 4737, §3',
    rareEvents: amongMessages('reorderedMessages', ['overtaken message', 'overtaken messages']),
    formulas: {
      messages: ({ session }) => overtakenCount(session),
    },
  },
  {
    name: 'blockedMessages',
    title: 'messages behind another',
    meaning:
      'Late messages that came with an earlier one that was later still: head-of-line blocking, or a pause of the machine.',
    ...mishap,
    rareEvents: amongMessages('blockedMessages', ['message behind another', 'messages behind another']),
    formulas: {
      messages: ({ session }) => heldMessages(session).filter((held) => held === 'behind').length,
    },
  },
  {
    name: 'messageSetupMs',
    title: 'set-up of the session',
    meaning: 'From opening the WebSocket or WebTransport session until messages may be sent.',
    ...delay,
    formulas: {
      messages: ({ session: { setupStartMs, readyMs } }) => readyMs - setupStartMs,
    },
  },
  {
    name: 'sendLateMs',
    title: 'lateness of sending',
    meaning:
      'Delay from a message’s scheduled time to its sending, 99th percentile. Page or machine caused it.',
    ...timeAsDifference,
    margin: 2,
    kinds: ['messages'],
    onDeadline: 'missing',
    formulas: {
      messages: ({ times }) =>
        nearestRank(
          times.lateMs.toSorted((a, b) => a - b),
          0.99,
        ),
    },
  },
];
