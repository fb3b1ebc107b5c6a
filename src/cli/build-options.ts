import type { Command } from 'commander';
import type { GateOptions } from '../app/gate/gate.ts';
import type { PlanFlags } from '../app/plan/plan-flags.ts';
import { H2h3Error } from '../core/model/errors.ts';
import { collect } from './commands/command.ts';
import { addAccessOptions, addAppOptions, addBlockOption } from './plan-options.ts';

/** Flags about two builds of an app; all as typed. */
export interface BuildFlags
  extends
    Pick<GateOptions, 'baselineCommand' | 'candidateCommand'>,
    Pick<
      PlanFlags,
      | 'script'
      | 'appHost'
      | 'appCompress'
      | 'thirdParties'
      | 'block'
      | 'header'
      | 'cookie'
      | 'basicAuth'
      | 'storageState'
      | 'login'
    > {
  readonly page?: readonly string[];
}

/** Two builds of one's app in the same blocks: how each is started, and what is loaded of both. */
export function addBuildOptions(command: Command): Command {
  const ofBuilds = command
    .optionsGroup('Two builds of an app:')
    .option(
      '--baseline-command <command>',
      "start the accepted build of an app over plain HTTP, which listens at the port in its variable PORT (or where --baseline says): 'npm run start:main'",
    )
    .option('--candidate-command <command>', 'start the build in question, likewise')
    .option('--page <path>', 'page of both builds, such as /cart (default: /); may be repeated', collect)
    .option('--script <file>', 'a journey from each page (docs/journeys.md)');
  return addAccessOptions(addBlockOption(addAppOptions(ofBuilds)));
}

/** What they say of two builds, and of what is loaded. @throws H2h3Error `usage` for a page of builds that there are not */
export function buildOptionsOf({ baselineCommand, candidateCommand, page, ...flags }: BuildFlags): {
  readonly commands: Pick<GateOptions, 'baselineCommand' | 'candidateCommand'>;
  readonly flags: PlanFlags;
} {
  if (page !== undefined && baselineCommand === undefined && candidateCommand === undefined)
    throw new H2h3Error('usage', '--page names a page of two builds of an app, and none are started', {
      next: 'Give --baseline-command and --candidate-command, or say what is loaded by --preset, --workload or --sites.',
    });
  const { script, appHost, appCompress, thirdParties, block } = flags;
  const { header, cookie, basicAuth, storageState, login } = flags;
  const said = {
    app: page,
    script,
    appHost,
    appCompress,
    thirdParties,
    block,
    header,
    cookie,
    basicAuth,
    storageState,
    login,
  };
  return {
    commands: { baselineCommand, candidateCommand },
    flags: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  };
}
