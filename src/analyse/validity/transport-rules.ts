import { hostWithPort, type LivePage } from '../../core/model/live-address.ts';
import { protocolOf, type ArmProtocol } from '../../core/model/protocol.ts';
import type { LinkFlow, RawTrial, TransportCounts } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** A handshake with the longest certificate chains in use stays below this. */
const maxPacketsOfHandshakes = 64;
/** Names of live hosts are asked for over either transport, and no browser loads anything from this port. */
const domainPort = 53;

export interface TransportJudgement {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

type Transport = LinkFlow['transport'];

/** What came over a transport. */
interface Carried {
  readonly packets: number;
  /** Both ways; null where only packets were counted. */
  readonly bytes: number | null;
  readonly ports: readonly number[];
}

const none: TransportJudgement = { findings: [], warnings: [] };

/**
 * What the client's own link carried over the transport that the arm does not use. Requests over it are in the server's log
 * and found there; what is left are connections without a request. A handshake is told; more packets than handshakes take are
 * requests that no log shows. Web sockets and what a plan lets run over the other transport stand in the log by their ports,
 * and are told with their bytes.
 *
 * An emulated link counts each flow, so that one flow of the log excuses itself alone. Of other links the kernel's sum is known.
 *
 * @param live hosts of others: over QUIC nothing may come where the arm has none; over TCP hosts without HTTP/3 answer in any arm
 */
export function judgeTransports(arm: ArmProtocol, raw: RawTrial, live?: LivePage): TransportJudgement {
  if (arm === 'auto') return none;
  const other = arm === 'h3' ? 'tcp' : 'udp';
  if (live !== undefined) return judgeLive(arm, other, raw, live);
  if (raw.linkFlows === undefined) return judgeSum(arm, other, raw);
  const named = portsOfLog(raw, other);
  // Names are asked for over TCP in every arm.
  const flows = flowsOver(raw.linkFlows, other).filter(({ serverPort }) => serverPort !== raw.resolverPort);
  const isNamed = ({ clientPort }: LinkFlow): boolean => named.has(String(clientPort));
  const judged = judgeUnnamed(arm, other, carriedBy(flows.filter((flow) => !isNamed(flow))));
  const told = carriedBy(flows.filter(isNamed));
  if (told.packets === 0) return judged;
  const warning = `${saidOf(arm, other, told)}: requests that the server's log names`;
  return { ...judged, warnings: [warning, ...judged.warnings] };
}

function judgeLive(
  arm: ArmProtocol,
  other: Transport,
  { linkFlows }: RawTrial,
  live: LivePage,
): TransportJudgement {
  if (linkFlows === undefined) return none;
  if (other === 'udp') {
    // Calls between browsers (WebRTC) and the like have ports of their own.
    const ports = portsOfPage(live);
    const flows = flowsOver(linkFlows, 'udp').filter(({ serverPort }) => ports.has(serverPort));
    return judgeUnnamed(arm, other, carriedBy(flows));
  }
  const carried = carriedBy(flowsOver(linkFlows, 'tcp'));
  if (carried.packets === 0) return none;
  const warning = `${saidOf(arm, other, carried)}: hosts without HTTP/3, or handshakes`;
  return { findings: [], warnings: [warning] };
}

/** Ports at which hosts of a live page answer over QUIC, and those that connections are led to. */
function portsOfPage({ remote, h3Hosts, connectTo }: LivePage): ReadonlySet<number> {
  const hosts = [hostWithPort(new URL(remote.url)), remote.address, ...h3Hosts, ...connectTo];
  return new Set([443, ...hosts.map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? 443))]);
}

/** Client's ports of the requests that the log has over a transport. */
function portsOfLog({ serverLog }: RawTrial, transport: Transport): ReadonlySet<string> {
  const over = (name: string): Transport => (protocolOf(name) === 'h3' ? 'udp' : 'tcp');
  const entries = (serverLog ?? []).filter(({ protocol }) => over(protocol) === transport);
  return new Set(entries.flatMap(({ connection }) => connection ?? []));
}

function flowsOver(flows: readonly LinkFlow[], transport: Transport): readonly LinkFlow[] {
  return flows.filter((flow) => flow.transport === transport && flow.serverPort !== domainPort);
}

function carriedBy(flows: readonly LinkFlow[]): Carried {
  return {
    packets: flows.reduce((sum, { downPackets }) => sum + downPackets, 0),
    bytes: flows.reduce((sum, { upBytes, downBytes }) => sum + upBytes + downBytes, 0),
    ports: flows.map(({ serverPort }) => serverPort),
  };
}

/** By the kernel's sum of the client's namespace: one flow that the log names leaves open what the others carried. */
function judgeSum(arm: ArmProtocol, other: Transport, raw: RawTrial): TransportJudgement {
  if (raw.transports === undefined) return none;
  const counts: TransportCounts[Transport] = raw.transports[other];
  if (counts.received === 0 && counts.sent === 0) return none;
  const carried: Carried = {
    packets: counts.received,
    bytes: null,
    ports: counts.flows.map(({ remotePort }) => remotePort),
  };
  const named = portsOfLog(raw, other);
  if (!counts.flows.some(({ localPort }) => named.has(String(localPort))))
    return judgeUnnamed(arm, other, carried);
  return {
    findings: [],
    warnings: [`${saidOf(arm, other, carried)}, part of requests that the server's log names`],
  };
}

function judgeUnnamed(arm: ArmProtocol, other: Transport, carried: Carried): TransportJudgement {
  if (carried.packets === 0 && (carried.bytes ?? 0) === 0) return none;
  const said = saidOf(arm, other, carried);
  return carried.packets > maxPacketsOfHandshakes
    ? {
        findings: [invalid('other-transport', `${said}, and no request in the server's log explains them`)],
        warnings: [],
      }
    : { findings: [], warnings: [`${said}: a handshake without a request`] };
}

function saidOf(arm: ArmProtocol, other: Transport, { packets, bytes, ports }: Carried): string {
  const unit = other === 'tcp' ? 'segments' : 'datagrams';
  const size = bytes === null ? '' : ` (${bytes} bytes both ways)`;
  const to = ports.length === 0 ? '' : `, to port ${[...new Set(ports)].join(', ')}`;
  return `${packets} ${unit}${size} came over ${other.toUpperCase()} in an arm of ${arm}${to}`;
}
