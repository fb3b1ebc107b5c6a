import { parseVersionedName, type VersionedName } from '../../../harness/clients/client-name.ts';
import { installBrowser, releaseOf } from '../../../harness/clients/install-browser.ts';
import { findInstalled } from '../../../harness/clients/installed-browsers.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { versionedProgram } from '../../../harness/tools/versions/catalogue.ts';
import { ensureVersion } from '../../../harness/tools/versions/ensure-version.ts';
import { findInstalledVersion } from '../../../harness/tools/versions/installed-versions.ts';
import { parseProgramName } from '../../../harness/tools/versions/program-name.ts';
import type { VersionedProgram } from '../../../harness/tools/versions/version-source.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { fetchedPlayer } from '../versions/fetched-player.ts';

/** `chromium` of `chromium@153`, `nginx` of `nginx@1.30`; other names stand for themselves. */
export function browserOf(client: string): string {
  return /[/\\]/.test(client) ? client : (client.split('@')[0] ?? client);
}

/**
 * A channel such as `chromium@stable` as the release that it means now, `chromium@153.0.0`, and `nginx@latest` as
 * `nginx@1.30.6`: what is compared night by night must not change its meaning. Fetches it first when `install` is set; a
 * client without version stays as it is.
 *
 * @param isElsewhere whether browsers run on another machine, which fetches them itself: none is fetched here. Default: no
 * @throws H2h3Error `usage` or `unsupported` for a version that cannot be had
 */
export async function exactClient(
  client: string,
  install: boolean,
  setup: SetupContext,
  isElsewhere = false,
): Promise<string> {
  const program = programOf(client);
  if (program !== undefined) return exactProgram(client, program, install, setup);
  const name = parseVersionedName(client);
  if (name === undefined) return client;
  if (isElsewhere) return exactElsewhere(name, install, setup);
  const found = install ? await installBrowser(name, setup) : await findInstalled(name, setup);
  if (found !== undefined) return `${name.browser}@${found.release}`;
  throw new H2h3Error('unsupported', `${client} is not installed`, {
    next: `Install it with \`npx h2h3 browsers install ${client}\`, or leave --no-install out.`,
  });
}

async function exactElsewhere(name: VersionedName, install: boolean, setup: SetupContext): Promise<string> {
  if (install) return `${name.browser}@${await releaseOf(name, setup)}`;
  throw new H2h3Error('unsupported', '--no-install looks for browsers on this machine alone', {
    next: 'Leave it out: the machine of --client-host fetches what it lacks.',
  });
}

/** Of a server, command-line client or player of which versions can be named. */
export function programOf(name: string): VersionedProgram | undefined {
  return /[/\\]/.test(name) ? undefined : versionedProgram(browserOf(name));
}

async function exactProgram(
  spec: string,
  program: VersionedProgram,
  install: boolean,
  setup: SetupContext,
): Promise<string> {
  const wanted = parseProgramName(spec)?.wanted;
  if (wanted === undefined) {
    if (program.kind === 'player') return (await fetchedPlayer(spec, setup)).exact;
    const usual = await serverNamed(spec)?.ensure(setup);
    return usual === undefined ? spec : `${spec}@${usual.version}`;
  }
  const found = install
    ? await ensureVersion(program, wanted, setup)
    : await findInstalledVersion({ id: program.id, wanted }, setup);
  if (found !== undefined) return `${program.id}@${found.version}`;
  throw new H2h3Error('unsupported', `${spec} was not fetched`, {
    next: `Fetch it with \`npx h2h3 servers install ${spec}\`, or leave --no-install out.`,
  });
}
