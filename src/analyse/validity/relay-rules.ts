import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** A broadcast over MoQ came in one session, over QUIC by the relay's own log; any other session is another's, or a retry. */
export function relayFindings({
  session,
  relayLog,
}: Pick<RawTrial, 'session' | 'relayLog'>): readonly Finding[] {
  if (session?.kind !== 'video' || session.relay === undefined) return [];
  if (relayLog === undefined) return [invalid('no-evidence', 'there is no log of the MoQ relay')];
  const transports = relayLog.filter(({ event }) => event === 'session').map(({ transport }) => transport);
  if (transports.length !== 1)
    return [invalid('log-differs', `the log of the MoQ relay has ${transports.length} sessions, expected 1`)];
  return transports[0] === 'quic'
    ? []
    : [
        invalid(
          'wrong-protocol',
          `the broadcast came over ${transports[0]} by the log of the MoQ relay, expected quic`,
        ),
      ];
}
