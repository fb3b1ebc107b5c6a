import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { trialCheck } from './trial-check.ts';

/** Those that lose, share or resume the connection of a body that comes down. */
const ofDownloads = ['migration', 'competingflows', 'resume'] as const;

/** Factors that change how a body comes down say nothing of one that goes up. */
export const uploadAbilities = trialCheck('upload-abilities', [], (trial, _facts, plan) => {
  const { workload, factors, client } = trial;
  if (plan.workloads.find(({ id }) => id === workload)?.kind !== 'upload') return undefined;
  if (workload.endsWith('-xhr') && commandClientNamed(client) !== undefined)
    return {
      reason: `${client} has no page, and ${workload} is sent by the XMLHttpRequest of one`,
      next: `Take ${workload.replace(/-xhr$/, '')}, or a browser.`,
    };
  const unable = ofDownloads.find((name) => factors[name] !== undefined);
  if (unable === undefined) return undefined;
  return {
    reason: `${unable} is about a body that comes down, and ${workload} sends one up`,
    next: `Leave ${unable} out, or take a workload such as download-1mb.`,
  };
});
