import { contentOf } from '../plan/arm-addresses.ts';
import { check, type Obstacle } from './check.ts';

/** A live address must answer what an arm is to be forced to. */
export const firstLook = check('first-look', ['spoken'], (plan, { spoken }) =>
  [...spoken].flatMap(([workload, { host, announcesH3, h2, h3 }]) => {
    const asking = (...protocols: readonly string[]): string[] =>
      plan.trials
        .filter((trial) => contentOf(trial) === workload && protocols.includes(trial.factors.protocol ?? ''))
        .map(({ trialId }) => trialId);
    const lacking = (what: string, trialIds: readonly string[]): Obstacle => ({
      code: 'unsupported',
      reason: `${host} answers ${what}`,
      next: `${announcesH3 ? 'Let UDP through to it. If that cannot be, record it' : 'Record it'} (\`npx h2h3 record https://${host}/\`) and measure the recording (\`npx h2h3 run --sites HOST\`): servers of h2h3 answer over both. Or put a proxy that speaks both before it.`,
      trialIds,
    });
    const noH3 = announcesH3
      ? `no HTTP/3, which it announces over TCP (alt-svc): ${h3}; a firewall may block UDP`
      : `no HTTP/3: ${h3}`;
    if (h2 !== null && h3 !== null) return [lacking(`HTTP/1.1 only: ${h2}, ${h3}`, asking('h2', 'h3'))];
    return [
      ...(h2 === null ? [] : [lacking(`no HTTP/2: ${h2}`, asking('h2'))]),
      ...(h3 === null ? [] : [lacking(noH3, asking('h3'))]),
    ];
  }),
);
