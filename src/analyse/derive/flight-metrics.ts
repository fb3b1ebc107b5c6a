import { evaluate } from '../../core/metrics/evaluate.ts';
import type { ConnectionStart } from '../../core/model/connection-start.ts';
import type { FirstFlight } from '../../core/model/metrics.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { LinkFlow, RawTrial } from '../../core/model/raw-trial.ts';
import type { DerivedPart } from './derived-part.ts';

/** What the client's link saw of the connections to the server. */
interface Seen {
  /** The one that carried most. */
  readonly busiest: LinkFlow;
  /** Of the one that tells most; absent where none was written down. */
  readonly start?: ConnectionStart | undefined;
}

/**
 * Of several connections the one that carried most tells how the server began; where its first flight is not known, or was
 * not ended by the window, the next.
 */
function seen(arm: ArmProtocol, raw: RawTrial): Seen | undefined {
  const { connectionStarts, linkFlows } = raw;
  const connections = serversConnections(arm, linkFlows ?? [], raw);
  const [busiest] = connections;
  if (busiest === undefined) return undefined;
  const starts = connections.flatMap((flow) => connectionStarts?.find((start) => isOf(start, flow)) ?? []);
  const [start] = starts.toSorted((a, b) => certainty(b) - certainty(a));
  return { busiest, start };
}

/** How the server began to send; nothing where no link of ours saw it. */
export function flightMetrics(arm: ArmProtocol, raw: RawTrial): DerivedPart {
  const connections = seen(arm, raw);
  if (connections === undefined) return { metrics: {}, warnings: [] };
  const { busiest, start } = connections;
  const { upPackets, downPackets } = busiest;
  const firstFlight = start?.firstFlight ?? null;
  const largestBurstBytes = start?.largestBurstBytes ?? null;
  return {
    metrics: evaluate('flights', {
      firstFlight,
      largestBurstBytes,
      upPackets,
      downPackets,
      ackDelayMs: start?.ackDelayMs,
      unproven: start?.unproven,
      rested: start?.rested,
      transport: start?.transport,
    }),
    warnings: [],
  };
}

/** The server's first flight, or why it is not known; undefined where no link of ours saw a connection. */
export function firstFlightOf(arm: ArmProtocol, raw: RawTrial): FirstFlight | undefined {
  const start = seen(arm, raw)?.start;
  if (start === undefined) return undefined;
  const { transport, firstFlight, reason = 'no-answer', rounds } = start;
  if (firstFlight === null) return { transport, reason };
  const { packets, bytes, isLeast, largestPacketBytes, acknowledgedBefore } = firstFlight;
  return {
    transport,
    packets,
    bytes,
    isLeast,
    largestPacketBytes,
    ...(acknowledgedBefore === undefined ? {} : { acknowledgedBefore }),
    roundPackets: rounds.map((round) => round.packets),
  };
}

/** Those to the server over the arm's transport, the one that carried most first; of a server that is not ours none is known. */
function serversConnections(
  arm: ArmProtocol,
  flows: readonly LinkFlow[],
  { serverLog, testbed }: RawTrial,
): LinkFlow[] {
  if (testbed === undefined) return [];
  const entries = serverLog ?? [];
  const logged = new Set(entries.flatMap(({ connection }) => connection ?? []));
  const isEarly = new Set(
    entries.flatMap(({ connection, earlyData }) => (earlyData === true ? (connection ?? []) : [])),
  );
  return (
    flows
      .filter(({ transport }) => arm === 'auto' || transport === (arm === 'h3' ? 'udp' : 'tcp'))
      .filter(({ clientPort }) => logged.size === 0 || logged.has(String(clientPort)))
      // What answers early data is no first flight of its own: the handshake is in it.
      .filter(({ clientPort }) => !isEarly.has(String(clientPort)))
      .toSorted((a, b) => carriedBytes(b) - carriedBytes(a))
  );
}

/** Both ways: of an upload most goes up. */
const carriedBytes = ({ upBytes, downBytes }: LinkFlow): number => upBytes + downBytes;

function isOf(start: ConnectionStart, flow: LinkFlow): boolean {
  return (
    start.transport === flow.transport &&
    start.clientPort === flow.clientPort &&
    start.serverPort === flow.serverPort
  );
}

/** 2: its window ended it; 1: the least that the window can be; 0: not known. */
function certainty({ firstFlight }: ConnectionStart): number {
  if (firstFlight === null) return 0;
  return firstFlight.isLeast ? 1 : 2;
}
