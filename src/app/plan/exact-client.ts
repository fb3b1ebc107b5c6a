import { parseVersionedName } from '../../../harness/clients/client-name.ts';
import { installBrowser } from '../../../harness/clients/install-browser.ts';
import { findInstalled } from '../../../harness/clients/installed-browsers.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';

/** `chromium` of `chromium@153`; other names stand for themselves. */
export function browserOf(client: string): string {
  return /[/\\]/.test(client) ? client : (client.split('@')[0] ?? client);
}

/**
 * A channel such as `chromium@stable` as the release that it means now, `chromium@153.0.0`: what is compared night by
 * night must not change its meaning. Installs it first when `install` is set; a client without version stays as it is.
 *
 * @throws H2h3Error `usage` or `unsupported` for a version that cannot be had
 */
export async function exactClient(client: string, install: boolean, setup: SetupContext): Promise<string> {
  const name = parseVersionedName(client);
  if (name === undefined) return client;
  const found = install ? await installBrowser(name, setup) : await findInstalled(name, setup);
  if (found !== undefined) return `${name.browser}@${found.release}`;
  throw new H2h3Error('unsupported', `${client} is not installed`, {
    next: `Install it with \`npx h2h3 browsers install ${client}\`, or leave --no-install out.`,
  });
}
