import { contentOf } from '../plan/arm-addresses.ts';
import { check, type Obstacle } from './check.ts';

/** A live address must answer what an arm is to be forced to. */
export const firstLook = check('first-look', ['spoken'], (plan, { spoken }) =>
  [...spoken].flatMap(([workload, { host, h2, h3 }]) => {
    const asking = (...protocols: readonly string[]): string[] =>
      plan.trials
        .filter((trial) => contentOf(trial) === workload && protocols.includes(trial.factors.protocol ?? ''))
        .map(({ trialId }) => trialId);
    if (h2 !== null && h3 !== null)
      return [lacking(`${host} answers HTTP/1.1 only: ${h2}, ${h3}`, asking('h2', 'h3'))];
    return [
      ...(h2 === null ? [] : [lacking(`${host} answers no HTTP/2: ${h2}`, asking('h2'))]),
      ...(h3 === null ? [] : [lacking(`${host} answers no HTTP/3: ${h3}`, asking('h3'))]),
    ];
  }),
);

function lacking(reason: string, trialIds: readonly string[]): Obstacle {
  return {
    code: 'unsupported',
    reason,
    next: 'Put a proxy that speaks both before it, or record it (`npx h2h3 record URL`) and measure the recording (`npx h2h3 run --sites HOST`): servers of h2h3 answer over both.',
    trialIds,
  };
}
