import type { DirectionSpec } from '../model/network-spec.ts';
import { hasQueue } from '../model/queue-kind.ts';
import { defineFactor } from './factor.ts';
import { sizeIn, sizeText, wholeNumberIn } from './forms.ts';

/** How much may wait: bytes, packets of 1500 bytes, or time at the rate of the link. */
export type QueueSize = { readonly bytes: number } | { readonly packets: number } | { readonly ms: number };

const packetBytes = 1500;
/** Two packets: the one that is sent and the one that waits. */
const leastBytes = 3000;
const most = 100_000;
const bytesPerMsAtMbps = 125;

function read(text: string): QueueSize | undefined {
  const packets = wholeNumberIn(text, 'packets');
  const ms = packets === undefined ? wholeNumberIn(text, 'ms') : undefined;
  const bytes = sizeIn(text, 1000);
  const count = packets ?? ms ?? bytes;
  if (count === undefined || count === 0 || (bytes === undefined && count > most)) return undefined;
  if (packets !== undefined) return { packets };
  return ms === undefined ? { bytes: count } : { ms };
}

function write(size: QueueSize): string {
  if ('packets' in size) return `${size.packets}packets`;
  return 'ms' in size ? `${size.ms}ms` : sizeText(size.bytes, 1000);
}

function bytesOf(size: QueueSize, { rateMbps }: DirectionSpec): number {
  if ('packets' in size) return size.packets * packetBytes;
  return 'ms' in size ? Math.round(size.ms * bytesPerMsAtMbps * (rateMbps ?? 0)) : size.bytes;
}

const sized = (size: QueueSize, direction: DirectionSpec): DirectionSpec =>
  hasQueue(direction) ? { ...direction, queueBytes: bytesOf(size, direction) } : direction;

/** How much may wait for a link, both ways. */
export const queuesize = defineFactor({
  id: 'queuesize',
  title: 'queue size',
  example: '100packets, 400kb, 50ms',
  unsetLabel: 'the queue size that the network has',
  form: { words: 'a size such as 100packets, 400kb (1 kb is 1000 bytes) or 50ms of the rate', read, write },
  honouredBy: ['link'],
  shape: (size: QueueSize, spec) => ({ ...spec, up: sized(size, spec.up), down: sized(size, spec.down) }),
  unfit: (size, { up, down }) => {
    const queues = [up, down].filter(hasQueue);
    if (queues.length === 0) return 'it has no rate, so nothing waits in a queue';
    if ('ms' in size && queues.some(({ trace }) => trace !== undefined))
      return 'its rate varies, so a time says no size';
    return queues.some((direction) => bytesOf(size, direction) < leastBytes)
      ? `a queue of less than ${leastBytes} bytes has no room for a packet behind the one that is sent`
      : undefined;
  },
  setBy: 'emulator or netem',
  provenBy: 'drops and times on the link',
  readBack: 'linkQueue.down',
});
