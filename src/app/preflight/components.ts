import { hasV6 } from '../../../harness/network/path-ends.ts';
import { valuesFor } from '../../core/factors/values.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { check, blockerOf, type Blocker } from './check.ts';
import type { Lacking } from './facts.ts';

/** Servers, proxies and players of which this machine has no program, and networks that it cannot shape. */
export const components = check(
  'components',
  ['servers', 'proxies', 'players', 'networks'],
  (plan, { servers, proxies, players, networks }) => [
    ...lackingOf(plan, 'server', servers, ({ server }) => [server]),
    ...lackingOf(plan, 'proxy', proxies, ({ factors }) => factors.proxy?.split('/') ?? []),
    ...lackingOf(plan, 'player', players, ({ factors }) => [factors.player ?? []].flat()),
    ...lackingOf(plan, 'network', networks, ({ network }) => network.split('/')),
  ],
);

/** Arms with addresses of IPv6, on a machine that has none. */
export const ipv6Here = check('ipv6', ['ipv6'], ({ trials }, { ipv6 }) => {
  if (ipv6 === null) return [];
  const trialIds = trials
    .filter(({ factors }) => hasV6(valuesFor(['link'], factors)))
    .map(({ trialId }) => trialId);
  return trialIds.length === 0 ? [] : [{ ...blockerOf(ipv6), trialIds }];
});

/** Each that is lacking, with the trials that need it. */
function lackingOf(
  { trials }: Plan,
  what: string,
  lacking: Lacking,
  namesIn: (trial: PlannedTrial) => readonly string[],
): Blocker[] {
  return [...lacking].flatMap(([id, fault]): Blocker[] => {
    const trialIds = trials.filter((trial) => namesIn(trial).includes(id)).map(({ trialId }) => trialId);
    const reason = `the ${what} ${id} cannot be had: ${fault.message}`;
    return trialIds.length === 0 ? [] : [{ ...blockerOf(fault), reason, trialIds }];
  });
}

/** Only videos need ffmpeg, which makes them. */
export const videoTools = check('video-tools', ['ffmpeg'], ({ workloads, trials }, { ffmpeg }) => {
  if (!(ffmpeg instanceof H2h3Error)) return [];
  const videos = workloads.filter(({ kind }) => kind === 'video').map(({ id }) => id);
  const trialIds = trials.filter(({ workload }) => videos.includes(workload)).map(({ trialId }) => trialId);
  return [{ ...blockerOf(ffmpeg), trialIds }];
});
