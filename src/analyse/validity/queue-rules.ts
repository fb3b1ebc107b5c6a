import type { QueueCounts } from '../../core/model/link-queue.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** A call, the least that another client may load, brings more than this in a second. */
const minCrossTrafficBytes = 100_000;
/** Of few packets, handshakes and bare acknowledgements, which carry no ECN, are most. */
const minJudgedPackets = 50;
const minCapableShare = 0.5;

/** What the link's own counts say against a trial: cross traffic that was not there, ECN that was not as the arm says. */
export function queueFindings(arm: ArmProtocol, raw: RawTrial): readonly Finding[] {
  const { linkQueue, otherTraffic, testbed } = raw;
  if (linkQueue === undefined) return [];
  const { up, down } = linkQueue;
  const carried = up.beside.bytes + down.beside.bytes;
  const isIdle = otherTraffic !== undefined && carried < minCrossTrafficBytes;
  return [
    ...(isIdle
      ? [
          invalid(
            'idle-crosstraffic',
            `the other client’s ${otherTraffic.traffic} carried ${carried} bytes only: it did not load the link`,
          ),
        ]
      : []),
    ...ecnFindings(arm, testbed?.links[0]?.ecn, down.measured),
  ];
}

/** Of what came from the server, over the arm's transport. */
function ecnFindings(
  arm: ArmProtocol,
  ecn: 'on' | 'off' | undefined,
  { tcpEcn, udpEcn }: QueueCounts,
): readonly Finding[] {
  if (ecn === undefined) return [];
  const counts =
    arm === 'h3' ? udpEcn : arm === 'auto' ? tcpEcn.map((n, at) => n + (udpEcn[at] ?? 0)) : tcpEcn;
  const [incapable = 0, ...others] = counts;
  const capable = others.reduce((sum, count) => sum + count, 0);
  const packets = incapable + capable;
  const share = `${capable} of ${packets} packets from the server could be marked`;
  if (ecn === 'off')
    return capable === 0 ? [] : [invalid('ecn-differs', `the arm has ecn=off, and ${share}`)];
  if (packets < minJudgedPackets || capable >= minCapableShare * packets) return [];
  return [invalid('ecn-differs', `the arm has ecn=on, and ${share}: an end gave ECN up`)];
}
