import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { trialCheck } from './trial-check.ts';

/** A body before those that are measured is the page’s doing: programs ask for these alone. */
export const restedDownloads = trialCheck('rested-downloads', [], ({ workload, client }) => {
  const program = commandClientNamed(client);
  if (program === undefined || !/^download-.*-rest\d+s$/.test(workload)) return undefined;
  return {
    reason: `${program.id} asks for no other body before those of ${workload}`,
    next: 'Take a browser, or a download alone such as download-1mb.',
  };
});
