import type { Command } from 'commander';
import type { PlanFlags } from '../app/plan/plan-flags.ts';

/** Machines on which servers and clients of a run start, as typed. */
export type HostFlags = Pick<PlanFlags, 'serverHost' | 'clientHost'>;

/** Of every command that makes a run. */
export function addHostOptions(command: Command): Command {
  return command
    .option(
      '--server-host <user@host>',
      'start servers on this machine, by ssh; the browser stays here, or where --client-host says (docs/two-machines.md)',
    )
    .option(
      '--client-host <user@host>',
      'start browsers on this machine, by ssh; servers stay here, or where --server-host says (docs/two-machines.md)',
    );
}

/** What they say of a plan. */
export function hostsOf({ serverHost, clientHost }: HostFlags): HostFlags {
  return {
    ...(serverHost === undefined ? {} : { serverHost }),
    ...(clientHost === undefined ? {} : { clientHost }),
  };
}
