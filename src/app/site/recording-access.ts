import { resolve } from 'node:path';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { storageScript } from '../../../harness/clients/browsers/storage-script.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { urlWorkload, type RecordedAccess } from '../../../sites/index.ts';
import type { Device } from '../../core/model/device.ts';
import type { LiveOptions } from '../../core/model/live-address.ts';
import type { LiveAccess } from '../../core/model/live-access.ts';
import { openRunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import { liveAccessOf } from '../plan/live-access.ts';
import { scriptPlaceOf } from '../run/access-of-run.ts';
import { hasWorkBefore, withWorkBefore } from '../run/access-before-journey.ts';
import { withLogIn } from '../run/access-of-run.ts';
import { prepareContextOf } from '../run/prepare-run.ts';

export interface RecordingLogIn {
  /** The first address that is recorded. */
  readonly url: string;
  /** As the log-in needs it to reach the address. */
  readonly live: LiveOptions;
  readonly client: ClientIdentity;
  readonly device: Device;
  /** Of a journey, whose work before is done first. */
  readonly scriptFile: string | undefined;
}

/**
 * What opens the pages that are recorded: saved state, and what a script that logs in leaves. Undefined where neither is
 * asked for.
 *
 * @throws H2h3Error `bad-input` where the script does not log in
 */
export async function recordingAccess(
  { url, live, client, device, scriptFile }: RecordingLogIn,
  setup: SetupContext,
  context: AppContext,
): Promise<RecordedAccess | undefined> {
  const { login, storageState } = live;
  const saved = storageState === undefined ? {} : { storageState: resolve(storageState) };
  const given = liveAccessOf(saved, {}, [url]);
  const before = scriptFile !== undefined && hasWorkBefore(scriptFile) ? scriptFile : undefined;
  if (login === undefined && before === undefined) return given && recordedAccess(given);
  const workload = urlWorkload(url, live);
  const prepared = await workload.prepare({
    ...prepareContextOf(setup, 0),
    ...(given === undefined ? {} : { access: given }),
  });
  const scope = await openRunScope((sentence) => context.progress.say(sentence));
  try {
    const page = scriptPlaceOf(prepared);
    const order = { client, headed: false, device, scope };
    const loggedIn =
      login === undefined
        ? given
        : await withLogIn({ ...order, page, scriptFile: resolve(login), given }, context);
    if (before !== undefined) context.progress.show(`what ${before} does before anything is recorded`);
    const access =
      before === undefined || page === undefined
        ? loggedIn
        : await withWorkBefore({ ...order, page, scriptFile: before, given: loggedIn }, context.signal);
    return access && recordedAccess(access);
  } finally {
    await scope.reaper.finish();
  }
}

function recordedAccess(access: LiveAccess): RecordedAccess {
  const script = storageScript(access);
  return {
    cookies: access.state.cookies,
    secrets: access.secrets,
    ...(script === undefined ? {} : { script }),
  };
}
