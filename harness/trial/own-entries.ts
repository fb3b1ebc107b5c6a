import { protocolOf } from '../../src/core/model/protocol.ts';
import type { LinkFlow, ServerLogEntry } from '../../src/core/model/raw-trial.ts';

/**
 * Whether an entry of the server's log came over a connection of this trial's client: a server may log a request of an earlier
 * trial as late as its connection times out. Where the link counts no flows, or the server names no connection, this is
 * not known, and the entry's time decides alone.
 *
 * @param flows of the client's link since the trial's start; null where they are not all known
 */
export function isFromClientOf(flows: readonly LinkFlow[] | null): (entry: ServerLogEntry) => boolean {
  if (flows === null) return () => true;
  // What a server still sends to a client that is gone is a flow as well, of which nothing goes up.
  const own = new Set(
    flows
      .filter(({ upPackets }) => upPackets > 0)
      .map(({ transport, clientPort }) => `${transport} ${clientPort}`),
  );
  return ({ connection, protocol }) => {
    const transport = protocolOf(protocol) === 'h3' ? 'udp' : 'tcp';
    return connection === undefined || own.has(`${transport} ${connection}`);
  };
}
