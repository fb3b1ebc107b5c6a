import type { RunningServer } from '../servers/server.ts';
import type { SingleTrialOrder, SingleTrialPlace } from '../trial/single-trial.ts';
import type { BenchSite } from './bench-site.ts';

/** What every bench of trials needs: a server that is up, and where to put things. */
export interface BenchTrialContext extends SingleTrialPlace, Required<Pick<SingleTrialOrder, 'postProcess'>> {
  readonly server: RunningServer;
  readonly site: BenchSite;
  readonly repetitions: number;
  readonly progress: (detail: string) => void;
}
