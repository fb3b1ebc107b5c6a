import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error, messageOf } from '../../../src/core/model/errors.ts';
import { failureScreenshotFile } from '../../../src/core/model/journey-failure.ts';
import type { LiveAccess } from '../../../src/core/model/live-access.ts';
import { withoutSecrets } from '../../../src/core/model/secrets.ts';
import { browserFamilies } from '../browsers/registry.ts';
import type { ClientLaunchOptions } from '../client-driver.ts';
import { runJourney } from './run-journey.ts';
import { writeFailure } from './write-failure.ts';

export interface BeforeJourney {
  readonly scriptFile: string;
  /** The address that is measured afterwards. */
  readonly url: string;
  readonly launch: ClientLaunchOptions;
  /** Variables that every process of the run has. */
  readonly environment: Readonly<Record<string, string>>;
  /** Longest time for all of it, ms. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Made where the script fails, for what its page showed then. Absent: that is not kept. */
  readonly failureDir?: string | undefined;
}

/**
 * Does what a script wants done before anything is measured, in a browser of its own; nothing of it is left running.
 *
 * @throws H2h3Error `bad-input` naming script and line where it fails or leaves nothing
 */
export async function beforeJourney({
  scriptFile,
  url,
  launch,
  environment,
  limitMs,
  signal,
  failureDir,
}: BeforeJourney): Promise<{ readonly state: LiveAccess['state']; readonly secrets: readonly string[] }> {
  const family = Object.entries(browserFamilies).find(([id]) => id === launch.client.family)?.[1];
  if (family === undefined)
    throw new H2h3Error('unsupported', `${launch.client.name} has no pages, so no script can drive it`);
  await mkdir(launch.profileDir, { recursive: true });
  const start = await family.launcher();
  const browser = await start(launch);
  const secrets = new Set<string>();
  let pictured = false;
  const endMs = performance.now() + limitMs;
  try {
    await browser.startRecording();
    const state = await runJourney(browser, {
      scriptFile,
      url,
      temporaryDir: join(launch.profileDir, 'script'),
      environment,
      signal,
      part: 'before',
      stepLimitMs: limitMs,
      quietMs: 0,
      leftMs: () => Math.max(0, endMs - performance.now()),
      acceptsAnyCertificate: (launch.live?.acceptedKeys.length ?? 0) > 0,
      keep: () => undefined,
      keepSecret: (secret) => secrets.add(secret),
      secrets: () => [...(launch.access?.secrets ?? []), ...secrets],
      keepFailure: (seen) => {
        if (failureDir === undefined) return;
        mkdirSync(failureDir, { recursive: true });
        writeFailure(failureDir, seen);
        pictured = true;
      },
    });
    if (state === null || state.cookies.length + state.origins.length === 0)
      throw new H2h3Error(
        'bad-input',
        `beforeMeasured of ${scriptFile} left neither a cookie nor local storage: every trial would begin as without it`,
      );
    return { state, secrets: [...secrets] };
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    const message = withoutSecrets(messageOf(thrown), launch.access?.secrets ?? []);
    throw new H2h3Error(thrown.code, `before anything is measured: ${message}`, {
      context: thrown.context,
      ...(pictured
        ? {
            next: `Look at ${failureDir}: it has the page as it was then (${failureScreenshotFile}) and its console.`,
          }
        : thrown.next === undefined
          ? {}
          : { next: thrown.next }),
      cause: thrown,
    });
  } finally {
    await browser.close();
  }
}
