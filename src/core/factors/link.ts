import type { DirectionSpec } from '../model/network-spec.ts';
import { hasQueue, type QueueKind, queueKinds } from '../model/queue-kind.ts';
import { overfullBy } from '../model/path-room.ts';
import { defineFactor } from './factor.ts';
import { inWords, oneOf, sizeIn, sizeText, wholeNumberIn } from './forms.ts';

const [dropTail, ...managed] = queueKinds;

/** What decides which packet leaves the queue of a link next, and which is dropped or marked. */
export const queue = defineFactor({
  id: 'queue',
  title: 'queue',
  example: 'fq-codel, droptail, codel, dualpi2',
  unsetLabel: 'the queue that the network has',
  form: inWords(
    'droptail, codel (RFC 8289), fq-codel (RFC 8290) or dualpi2 (RFC 9332)',
    oneOf(dropTail, ...managed),
  ),
  appliedBy: ['link'],
  shape: (kind: QueueKind, spec) => ({
    ...spec,
    up: { ...spec.up, ...(hasQueue(spec.up) ? { queue: kind } : {}) },
    down: { ...spec.down, ...(hasQueue(spec.down) ? { queue: kind } : {}) },
  }),
  incompatibility: (kind, { duplex, up, down }) => {
    if (!hasQueue(up) && !hasQueue(down)) return 'it has no rate, so nothing waits in a queue';
    if (kind === dropTail) return undefined;
    if (duplex === 'half') return 'both of its directions share one queue, which is drop-tail';
    return (up.queuePackets ?? down.queuePackets) === undefined
      ? undefined
      : 'its queue counts packets, and a managed one counts bytes';
  },
  setBy: 'the emulator',
  provenBy: 'delay, fairness, drops and marks on the link',
  readBack: 'linkQueue.down',
});

/** How much may wait: bytes, packets of 1500 bytes, or time at the rate of the link. */
export type QueueSize = { readonly bytes: number } | { readonly packets: number } | { readonly ms: number };

const packetBytes = 1500;

/** Two packets: the one that is sent and the one that waits. */
const minQueueBytes = 3000;

const maxCount = 100_000;

const bytesPerMsAtMbps = 125;

function readQueueSize(text: string): QueueSize | undefined {
  const packets = wholeNumberIn(text, 'packets');
  const ms = packets === undefined ? wholeNumberIn(text, 'ms') : undefined;
  const bytes = sizeIn(text, 1000);
  const count = packets ?? ms ?? bytes;
  if (count === undefined || count === 0 || (bytes === undefined && count > maxCount)) return undefined;
  if (packets !== undefined) return { packets };
  return ms === undefined ? { bytes: count } : { ms };
}

function writeQueueSize(size: QueueSize): string {
  if ('packets' in size) return `${size.packets}packets`;
  return 'ms' in size ? `${size.ms}ms` : sizeText(size.bytes, 1000);
}

function queueBytesOf(size: QueueSize, { rateMbps }: DirectionSpec): number {
  if ('packets' in size) return size.packets * packetBytes;
  return 'ms' in size ? Math.round(size.ms * bytesPerMsAtMbps * (rateMbps ?? 0)) : size.bytes;
}

const withQueueSize = (size: QueueSize, direction: DirectionSpec): DirectionSpec =>
  hasQueue(direction)
    ? { ...direction, queueBytes: queueBytesOf(size, direction), queuePackets: undefined }
    : direction;

/** How much may wait for a link, both ways. */
export const queuesize = defineFactor({
  id: 'queuesize',
  title: 'queue size',
  example: '100packets, 400kb, 50ms',
  unsetLabel: 'the queue size that the network has',
  form: {
    words: 'a size such as 100packets, 400kb (1 kb is 1000 bytes) or 50ms of the rate',
    read: readQueueSize,
    write: writeQueueSize,
  },
  appliedBy: ['link'],
  shape: (size: QueueSize, spec) => ({
    ...spec,
    up: withQueueSize(size, spec.up),
    down: withQueueSize(size, spec.down),
  }),
  incompatibility: (size, { up, down }) => {
    const queues = [up, down].filter(hasQueue);
    if (queues.length === 0) return 'it has no rate, so nothing waits in a queue';
    if ('ms' in size && queues.some(({ trace }) => trace !== undefined))
      return 'its rate varies, so a time says no size';
    if (queues.some((direction) => queueBytesOf(size, direction) < minQueueBytes))
      return `a queue of less than ${minQueueBytes} bytes has no room for a packet behind the one that is sent`;
    const [overfull] = queues.flatMap((direction) => overfullBy(withQueueSize(size, direction)) ?? []);
    return overfull?.words;
  },
  setBy: 'emulator or netem',
  provenBy: 'drops and times on the link',
  readBack: 'linkQueue.down',
});

type Ecn = 'on' | 'off';

/** Explicit Congestion Notification (RFC 3168): whether the ends use it, and the queue marks what it can. */
export const ecn = defineFactor({
  id: 'ecn',
  title: 'ECN',
  example: 'on, off',
  unsetLabel: 'ECN as each stack has it, and a queue that does not mark',
  form: oneOf('on', 'off'),
  appliedBy: ['link'],
  hints: { client: (state: Ecn) => state, sender: (state: Ecn) => state },
  setBy: '`tcp_ecn` at both ends; Caddy, Go and Firefox; a queue that marks',
  provenBy: '`tcp_ecn`; the ECN field of every packet on the link',
  readBack: 'testbed.links.ecn',
});

/** Segmentation offloads at both ends of a link, all of them. */
export const offloads = defineFactor({
  id: 'offloads',
  title: 'segmentation offloads',
  example: 'on, off',
  unsetLabel: 'the network’s own segmentation offloads',
  form: oneOf('on', 'off'),
  appliedBy: ['link'],
  setBy: '`ethtool -K` at both ends: TSO, GSO, GRO, UDP GSO',
  provenBy: '`ethtool -k`; sizes by `--probe packets`',
  readBack: 'testbed.links.offloads',
});

const minMtuBytes = 1280;

const maxMtuBytes = 1500;

/** Largest IP packet of a link. */
export const mtu = defineFactor({
  id: 'mtu',
  title: 'MTU',
  example: '1400, 1280',
  unsetLabel: 'MTU 1500',
  form: {
    words: `bytes from ${minMtuBytes} (what QUIC needs, and IPv6) to ${maxMtuBytes}`,
    read: (text) => {
      const bytes = wholeNumberIn(text);
      return bytes === undefined || bytes < minMtuBytes || bytes > maxMtuBytes ? undefined : { bytes };
    },
    write: ({ bytes }: { readonly bytes: number }) => String(bytes),
  },
  appliedBy: ['link'],
  setBy: '`ip link` at both ends',
  provenBy: '`ip link`; sizes by `--probe packets`',
  readBack: 'testbed.links.mtuBytes',
});
