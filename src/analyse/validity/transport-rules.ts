import type { ArmProtocol } from '../../model/protocol.ts';
import type { RawTrial, TransportCounts } from '../../model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** A handshake with the longest certificate chains in use stays below this. */
const mostPacketsOfHandshakes = 64;

export interface TransportJudgement {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

const none: TransportJudgement = { findings: [], warnings: [] };

/**
 * What the client's own link carried over the transport that the arm does not use. Requests over it are in the server's log
 * and found there; what is left are connections without a request. A handshake is told; more packets than handshakes take are
 * requests that no log shows. Web sockets and what a plan lets run over the other transport stand in the log by their ports.
 */
export function judgeTransports(arm: ArmProtocol, raw: RawTrial, isAlone: boolean): TransportJudgement {
  const { transports, serverLog } = raw;
  if (transports === undefined || arm === 'auto' || !isAlone) return none;
  const other = arm === 'h3' ? 'tcp' : 'udp';
  const { received, sent } = transports[other];
  if (received === 0 && sent === 0) return none;
  const named = new Set((serverLog ?? []).map(({ connection }) => connection));
  const flows = transports[other].flows.filter(({ localPort }) => named.has(String(localPort)));
  const said = `${received} ${unitOf(other)}${bytesOver(raw, other)} came over ${other.toUpperCase()} in an arm of ${arm}${ports(transports, other)}`;
  if (flows.length > 0)
    return { findings: [], warnings: [`${said}, part of requests that the server's log names`] };
  if (received > mostPacketsOfHandshakes)
    return { findings: [invalid(`${said}, and no request in the server's log explains them`)], warnings: [] };
  return { findings: [], warnings: [`${said}: a handshake without a request`] };
}

const unitOf = (transport: 'tcp' | 'udp'): string => (transport === 'tcp' ? 'segments' : 'datagrams');

/** What an emulated link counted of a transport, from start signal to rest, both ways; nothing of other links. */
function bytesOver({ counters }: RawTrial, transport: 'tcp' | 'udp'): string {
  const name = transport === 'tcp' ? 'TcpBytes' : 'UdpBytes';
  const up = counters[`emulatorUp${name}`];
  const down = counters[`emulatorDown${name}`];
  return up === undefined || down === undefined ? '' : ` (${up + down} bytes both ways)`;
}

function ports(transports: TransportCounts, other: 'tcp' | 'udp'): string {
  const remote = [...new Set(transports[other].flows.map(({ remotePort }) => remotePort))];
  return remote.length === 0 ? '' : `, to port ${remote.join(', ')}`;
}
