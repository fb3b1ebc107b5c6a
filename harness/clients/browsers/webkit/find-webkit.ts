import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { findOnPath } from '../../../../src/core/system/find-executable.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';
import { printedVersion } from '../../browser-version.ts';
import type { ClientIdentity } from '../../client.ts';

/** What WebKit is called where a client is named. */
export const webkitName = 'webkit';
export const webkitTitle = 'WebKitGTK';

/** WebKitGTK by its driver. @throws H2h3Error `unsupported` where this machine lacks a part of it */
export async function findWebKit(context: SetupContext): Promise<ClientIdentity> {
  const driver = await findOnPath('WebKitWebDriver', context);
  const display = await findOnPath('Xvfb', context);
  if (driver === undefined || display === undefined)
    throw new H2h3Error(
      'unsupported',
      `WebKit needs ${driver === undefined ? 'WebKitWebDriver' : 'Xvfb'}, which is not on this machine`,
      {
        next: "Debian: `npx h2h3 setup --system --with webkit`. Playwright's own build of WebKit is not used: no package registry has it.",
      },
    );
  const version = /\d+(?:\.\d+)+/.exec(await printedVersion(driver, context))?.[0] ?? '';
  return {
    id: webkitName,
    family: 'webkit',
    name: webkitTitle,
    version,
    build: 'full',
    source: 'system',
    executablePath: driver,
    headed: false,
    environment: { H2H3_XVFB: display },
  };
}
