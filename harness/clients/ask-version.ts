import { rm } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { browserFamilies } from './browsers/registry.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { readBrowserVersion } from './browser-version.ts';
import type { ClientIdentity } from './client.ts';
import { makeTemporary } from '../../src/core/system/temporary-folder.ts';

/**
 * The version a browser says of itself when it is started: the proof that it runs on this machine at all.
 * @throws H2h3Error `unsupported` when it does not start.
 */
export async function askVersion(client: ClientIdentity, context: SetupContext): Promise<string> {
  if (client.family === 'firefox') return readBrowserVersion(client.executablePath, 'firefox', context);
  const profileDir = makeTemporary('ask');
  context.progress({ title: `Starting ${client.name} ${client.version} once` });
  try {
    const launch = await browserFamilies.chromium.launcher();
    const session = await launch({
      client,
      profileDir,
      instrumentation: 'uninstrumented',
      protocol: 'auto',
      spkiHash: '',
      hosts: [],
      server: null,
      headed: false,
      mediaBufferMegabytes: 0,
      frames: false,
    });
    await session.close();
    return session.version;
  } catch (cause) {
    throw new H2h3Error('unsupported', `${client.name} ${client.version} does not run on this machine`, {
      context: {
        got: messageOf(cause),
        ...(cause instanceof H2h3Error ? { stderrTail: cause.context.stderrTail } : {}),
      },
      next: 'Choose a newer version (`npx h2h3 browsers list --available`).',
      cause,
    });
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
