import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { firstFlightOf } from '../derive/flight-metrics.ts';
import { invalid, type Finding } from './finding.ts';

/** A ticket may leave in a packet of its own, and a paced flight may end a packet early. */
const tolerance = 0.2;

/** Where the arm sets TCP's initial window, the first flight that the link saw must be as large. */
export function flightFindings(arm: ArmProtocol, raw: RawTrial): readonly Finding[] {
  const flight = firstFlightOf(arm, raw);
  if (flight === undefined) return [];
  const wanted = raw.testbed?.links[0]?.initialWindowPackets;
  if (wanted === undefined || flight.transport !== 'tcp' || !('packets' in flight)) return [];
  const { packets, isLeast } = flight;
  if (packets <= wanted * (1 + tolerance) && (isLeast || packets >= wanted * (1 - tolerance))) return [];
  return [
    invalid(
      'flight-differs',
      `the arm has initialwindow=${wanted}, and the first flight has ${packets} packets`,
    ),
  ];
}
