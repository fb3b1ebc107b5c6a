import { contentOf } from '../plan/arm-addresses.ts';
import { check, type Blocker } from './check.ts';

/** A live address must answer what an arm is to be forced to. */
export const liveProtocols = check('live-protocols', ['spoken'], (plan, { spoken }) =>
  [...spoken].flatMap(([workload, { host, announcedH3, h2, h3 }]) => {
    const asking = (...protocols: readonly string[]): string[] =>
      plan.trials
        .filter((trial) => contentOf(trial) === workload && protocols.includes(trial.factors.protocol ?? ''))
        .map(({ trialId }) => trialId);
    const isHere = announcedH3 === host;
    const first =
      announcedH3 === null
        ? 'Record it'
        : isHere
          ? 'Let UDP through to it. If that cannot be, record it'
          : 'Have it answer HTTP/3 on its own port, where trials force it. If that cannot be, record it';
    const lacking = (what: string, trialIds: readonly string[]): Blocker => ({
      code: 'unsupported',
      reason: `${host} answers ${what}`,
      next: `${first} (\`npx h2h3 record https://${host}/\`) and measure the recording (\`npx h2h3 run --sites HOST\`): servers of h2h3 answer over both. Or put a proxy that speaks both before it.`,
      trialIds,
    });
    const noH3 =
      announcedH3 === null
        ? `no HTTP/3: ${h3}`
        : isHere
          ? `no HTTP/3, which it announces over TCP (alt-svc): ${h3}; a firewall may block UDP`
          : `no HTTP/3 itself: ${h3}. It announces it at ${announcedH3} (alt-svc)`;
    if (h2 !== null && h3 !== null) return [lacking(`HTTP/1.1 only: ${h2}, ${h3}`, asking('h2', 'h3'))];
    return [
      ...(h2 === null ? [] : [lacking(`no HTTP/2: ${h2}`, asking('h2'))]),
      ...(h3 === null ? [] : [lacking(noH3, asking('h3'))]),
    ];
  }),
);
