import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Disturbance } from './sender-path.ts';

/** With which a connection begins, and begins again after a rest: RFC 6928, section 2; RFC 9002, section 7.2. */
export const initialWindowPackets = 10;

/** Packets of a flight are counted from its bytes, of which tickets and settings take some. */
export const countedPackets = 0.5;

/** What of a trial properties are read from. */
export type MeasuredTrial = Pick<TrialRecord, 'metrics' | 'counters'>;

/** One thing by which a sender is known. */
export interface SenderProperty {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly meaning: string;
  /** Where the allowed value comes from, or why there is none. */
  readonly source: string;
  /** In trials of which it is read. */
  readonly readIn: readonly Disturbance[];
  /** Its value in a trial; undefined where the trial does not tell it. */
  readonly valueOf: (trial: MeasuredTrial) => number | undefined;
  /** The most that the RFC of the protocol allows in a trial; undefined where it names no figure. */
  readonly allowed?: (protocol: ArmProtocol, trial: MeasuredTrial) => number | undefined;
  /** Over which it means something alone. Absent: over both. */
  readonly over?: 'h2' | 'h3';
  /** It says something of the client, so that no sender is held to it. */
  readonly isOfClient?: true;
  /** Up to this difference a sender does as the server's own TCP: a share of the median of that, or this much in the unit. */
  readonly alike: { readonly share: number; readonly least: number };
  /** What a larger value means for others or for users, a clause. */
  readonly consequence: string;
  /** What a smaller value means; absent: nothing bad. */
  readonly consequenceOfLess?: string;
}

/** So much may a property differ from a usual value and is called alike. */
export function roomOf({ alike }: Pick<SenderProperty, 'alike'>, usual: number): number {
  return Math.max(alike.least, alike.share * Math.abs(usual));
}
