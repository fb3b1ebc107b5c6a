import type { UnlikeFlights } from '../../src/core/model/first-flights.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { minutesText } from './numbers.ts';
import { typed } from './rerun-command.ts';

/** What measures how much of a change the servers' first flights are, of those that no answer advises. */
export interface FlightsRun {
  readonly command: string;
  /** ` (about 6 min on this machine)`; empty where it is not known. */
  readonly took: string;
}

/** The run that measures it; null where none does. */
export function flightsRunOf({ command, minutes }: UnlikeFlights): FlightsRun | null {
  if (command === null) return null;
  const took = minutesText(minutes === null ? null : [minutes, minutes]);
  return { command: typed(command), took: took === '' ? '' : ` (${took} on this machine)` };
}

/** The runs of which no answer speaks as its next step. */
export function unadvisedFlightsRuns({ unlikeFirstFlights = [], answers }: Summary): FlightsRun[] {
  const advised = new Set(answers.flatMap(({ command }) => (command === null ? [] : [typed(command)])));
  return unlikeFirstFlights.flatMap((flights) => {
    const run = flightsRunOf(flights);
    return run === null || advised.has(run.command) ? [] : [run];
  });
}
