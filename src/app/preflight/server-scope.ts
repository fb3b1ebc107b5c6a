import { whyNotServed } from '../../../harness/servers/server-scope.ts';
import { trialCheck } from './trial-check.ts';

/** What a server cannot serve at all is said before anything is fetched. */
export const serverScope = trialCheck('server-scope', [], (trial, _facts, { workloads }) => {
  const kind = workloads.find(({ id }) => id === trial.workload)?.kind;
  const reason = kind === undefined ? undefined : whyNotServed(trial, kind);
  return reason === undefined
    ? undefined
    : { reason, next: 'Any other server can (`npx h2h3 describe servers`).' };
});
