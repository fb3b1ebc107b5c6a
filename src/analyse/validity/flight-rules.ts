import { quicPacketBytes, windowPackets } from '../../core/model/first-flights.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { firstFlightOf } from '../derive/flight-metrics.ts';
import { invalid, type Finding } from './finding.ts';

/** A ticket may leave in a packet of its own, and a paced flight may end a packet early. */
const tolerance = 0.2;

/**
 * Where the arm sets the initial window, the first flight that the link saw must be as large. It may be larger by what the
 * client acknowledged before it ended: slow start adds that to the window (RFC 5681, section 3.1; RFC 9002, section 7.3.1).
 * Of QUIC this is the handshake, where the server comes to its answer late.
 */
export function flightFindings(arm: ArmProtocol, raw: RawTrial): readonly Finding[] {
  const flight = firstFlightOf(arm, raw);
  if (flight === undefined || !('packets' in flight)) return [];
  const { transport, isLeast, acknowledgedBefore } = flight;
  const wanted = wantedPackets(transport, raw);
  if (wanted === undefined) return [];
  const wholePackets = (sent: { readonly packets: number; readonly bytes: number }): number =>
    Math.round(windowPackets(transport, sent, quicPacketBytes));
  const packets = wholePackets(flight);
  const largest = wanted + (acknowledgedBefore === undefined ? 0 : wholePackets(acknowledgedBefore));
  if (packets <= largest * (1 + tolerance) && (isLeast || packets >= wanted * (1 - tolerance))) return [];
  return [
    invalid(
      'flight-differs',
      `the arm has initialwindow=${wanted}, and the first flight has ${packets} packets`,
    ),
  ];
}

/** What the sender at the far end of the client's link was told. */
function wantedPackets(transport: 'tcp' | 'udp', { testbed }: RawTrial): number | undefined {
  if (transport === 'tcp') return testbed?.links[0]?.initialWindowPackets;
  return (testbed?.proxies[0] ?? testbed?.server)?.quicInitialWindowPackets;
}
