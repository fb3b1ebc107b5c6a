import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** A client that was told to send no priorities sent none, by the server's log. */
export function priorityFindings({
  sentPriorities,
  serverLog,
}: Pick<RawTrial, 'sentPriorities' | 'serverLog'>): readonly Finding[] {
  if (sentPriorities !== 'none') return [];
  const sent = serverLog?.find(({ priority }) => priority !== undefined);
  return sent === undefined
    ? []
    : [
        invalid(
          'priority-sent',
          `${sent.path} was asked for with the priority ${sent.priority}, in an arm without priorities`,
        ),
      ];
}
