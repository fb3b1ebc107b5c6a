import { productOf } from '../../../harness/tools/versions/program-name.ts';
import { factorsSetIn } from '../../core/factors/registry.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import { workloadCatalogue, workloadNamed } from '../plan/workload-catalogue.ts';
import { familyOf } from './client-family.ts';
import { trialCheck, type TrialRefusal } from './trial-check.ts';

export const moqPlayer = 'moqwatch';

/** Whether a value of the factor `player` names it, in whatever version. */
export const isMoqPlayer = (player: string): boolean => productOf(player) === moqPlayer;

/** What must be for a broadcast to be played over MoQ; no other player that an arm names is told of one. */
export const moqAbilities = trialCheck('moq-abilities', ['clients'], (trial, { clients }) => {
  const { player } = trial.factors;
  if (player === undefined) return undefined;
  const isMoq = isMoqPlayer(player);
  const isBroadcast = workloadNamed(trial.workload, workloadCatalogue())?.isBroadcast === true;
  if (isMoq !== isBroadcast)
    return isMoq
      ? {
          reason: `${moqPlayer} plays broadcasts alone, and ${trial.workload} is none`,
          next: 'Name a broadcast, such as video-clock-1s-own-live.',
        }
      : {
          reason: `${player} plays no broadcast: ${trial.workload} has the packaged dash.js and ${moqPlayer}`,
          next: `Leave player out, or say player=${moqPlayer}.`,
        };
  if (!isMoq) return undefined;
  return carriedRefusal(trial) ?? browserRefusal(trial.client, familyOf(trial.client, clients));
});

/** The relay has a socket and a sender of its own: what is set of the server's reaches neither. */
function carriedRefusal({ factors }: PlannedTrial): TrialRefusal | undefined {
  if (factors.protocol !== 'h3')
    return {
      reason: `player=${moqPlayer} is carried by WebTransport, which browsers have over HTTP/3 alone`,
      next: `Say h3+player=${moqPlayer}.`,
    };
  if (factors.proxy !== undefined)
    return { reason: 'no proxy of ours hands WebTransport on', next: 'Leave the proxy out.' };
  const set = factorsSetIn(factors).find(({ appliedBy }) =>
    appliedBy.some((who) => who === 'sender' || who === 'server'),
  );
  return (
    set && {
      reason: `${set.id} is set of the server, and the relay of MoQ sends by itself`,
      next: `Leave ${set.id} out.`,
    }
  );
}

function browserRefusal(client: string, family: string | undefined): TrialRefusal | undefined {
  if (family === undefined || family === 'chromium') return undefined;
  const why =
    family === 'firefox'
      ? ': it takes two streams at once from a server (Mozilla bug 2046262), so the player opens no WebTransport in it'
      : '';
  return {
    reason: `${client} cannot play over MoQ${why}`,
    next: 'Name a browser of the Chromium family.',
    code: 'unsupported',
  };
}
