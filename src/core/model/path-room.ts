// Factors use this file: it brings no schema library along.

/** Packets that the emulator holds at a time, in one direction. */
const maxHeldPackets = 65_536;
const packetBytes = 1500;

/** What a direction of a path has to hold. */
export interface Held {
  readonly rateMbps: number | null;
  /** One way. */
  readonly delayMs: number;
  readonly queueBytes?: number | null | undefined;
  readonly queuePackets?: number | undefined;
}

/** What puts too many packets into a path: its rate and delay, or the queue that comes to them. */
export interface Overfull {
  readonly by: 'delay' | 'queue';
  readonly words: string;
}

/** Whether packets under way and those that may wait are more than a path holds; undefined where they are not. */
export function overfullBy({ rateMbps, delayMs, queueBytes, queuePackets }: Held): Overfull | undefined {
  const underWay = Math.round(((rateMbps ?? 0) * 1000 * delayMs) / (8 * packetBytes));
  const waiting = queuePackets ?? Math.floor((queueBytes ?? 0) / packetBytes);
  if (underWay + waiting <= maxHeldPackets) return undefined;
  const inQueue = waiting === 0 ? '' : `, with ${waiting} in the queue`;
  return {
    by: underWay > maxHeldPackets ? 'delay' : 'queue',
    words: `${underWay} packets would be under way${inQueue}, and the emulator holds ${maxHeldPackets}`,
  };
}
