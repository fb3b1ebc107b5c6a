import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  parseInterfaces,
  readInterfaces,
  transportCount,
  type InterfaceCounters,
} from '../../src/core/system/interface-counters.ts';
import { ownInterface } from './own-interface.ts';
import type { Probe, ProbeYield } from './probe.ts';

/** What the interface and the transport layers of the client's namespace have counted so far, unparsed. */
interface Accounts {
  readonly interfaces: string;
  /** `/proc/net/snmp`. */
  readonly transports: string;
}

const read = (): Accounts => ({
  interfaces: readInterfaces(),
  transports: readFileSync('/proc/self/net/snmp', 'utf8'),
});

/** Packets and bytes at the client's interface, and as UDP and TCP saw them; read before and after. */
export const packets: Probe = {
  id: 'packets',
  title: 'packets at the client’s interface, and as UDP and TCP see them; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: true,
  onThisMachine: true,
  forDiagnosis: true,
  counts: ['packetsReceived', 'packetsSent', 'transportPacketsReceived'],
  setup: (context) => {
    const name = ownInterface(context);
    const mtu = packetBytes(name);
    const accounts: Accounts[] = [];
    return {
      start: () => void accounts.push(read()),
      stop: () => void accounts.push(read()),
      teardown: () => {
        const [before, after] = accounts;
        if (!before || !after) return {};
        return counted(before, after, { name, mtu, isQuic: context.launch.protocol === 'h3' });
      },
    };
  },
};

/** The largest packet of a link, bytes. /sys shows the interfaces of the namespace in which it was mounted, so `ip` is asked. */
function packetBytes(name: string): number {
  const said = execFileSync('ip', ['-o', 'link', 'show', 'dev', name], { encoding: 'utf8' });
  return Number(/ mtu (\d+)/.exec(said)?.[1] ?? 1500);
}

interface CountedLink {
  readonly name: string;
  readonly mtu: number;
  readonly isQuic: boolean;
}

function counted(before: Accounts, after: Accounts, { name, mtu, isQuic }: CountedLink): ProbeYield {
  const [from, to] = [before, after].map(({ interfaces }) => parseInterfaces(interfaces).get(name));
  if (!from || !to) return { warnings: [`the interface ${name} is gone`] };
  const grown = (counter: keyof InterfaceCounters): number => to[counter] - from[counter];
  const transport = (protocol: string, field: string): number =>
    transportCount(after.transports, protocol, field) - transportCount(before.transports, protocol, field);
  return {
    counters: {
      linkMtuBytes: mtu,
      packetsReceived: asPackets(grown('receivedPackets'), grown('receivedBytes'), mtu),
      packetsSent: asPackets(grown('sentPackets'), grown('sentBytes'), mtu),
      // TCP takes a super-packet as one; joined datagrams are cut again before a socket gets them (Linux, udp_rcv_segment).
      transportPacketsReceived: isQuic ? transport('Udp', 'InDatagrams') : grown('receivedPackets'),
      interfaceUnitsReceived: grown('receivedPackets'),
      interfaceBytesReceived: grown('receivedBytes'),
      udpDatagramsReceived: transport('Udp', 'InDatagrams'),
      udpReceiveBufferErrors: transport('Udp', 'RcvbufErrors'),
      tcpSegmentsReceived: transport('Tcp', 'InSegs'),
      tcpSegmentsRetransmitted: transport('Tcp', 'RetransSegs'),
    },
  };
}

/**
 * Super-packets of segmentation offload cross virtual links whole and count there as one; as packets of the link's size
 * they are at least this many.
 */
export function asPackets(units: number, bytes: number, mtu: number): number {
  return Math.max(units, Math.ceil(bytes / mtu));
}
