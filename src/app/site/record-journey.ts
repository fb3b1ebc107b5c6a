import { rm } from 'node:fs/promises';
import { CdpRelay } from '../../../harness/clients/browsers/chromium/cdp-relay.ts';
import { PipeTransport } from '../../../harness/clients/browsers/chromium/pipe-transport.ts';
import type { JourneyPort } from '../../../harness/clients/browsers/journey-port.ts';
import { journeyRecorderExpression } from '../../../harness/clients/browsers/page-script.ts';
import { runJourney } from '../../../harness/clients/journey/run-journey.ts';
import type { Driven, DrivenPage } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { makeTemporary } from '../../core/system/temporary-folder.ts';
import type { AppContext } from '../app-context.ts';

export interface RecordedJourney {
  readonly scriptFile: string;
  readonly url: string;
  /** Longest time for one step. */
  readonly limitMs: number;
}

/** The user who records by a script waits for it; one that loops through its steps must end all the same. */
const journeyLimitMs = 10 * 60_000;

/** Has the script of a journey drive a page that is recorded. @throws H2h3Error `bad-input` naming step and line where it fails */
export async function recordJourney(
  page: DrivenPage,
  { scriptFile, url, limitMs }: RecordedJourney,
  { progress, signal }: Pick<AppContext, 'progress' | 'signal'>,
): Promise<Driven> {
  const secrets = new Set<string>();
  const endMs = performance.now() + journeyLimitMs;
  let quiet = true;
  await page.runFirst(journeyRecorderExpression);
  const browser = {
    openJourney: () => Promise.resolve(portTo(page)),
    waitUntilQuiet: (_quietMs: number, maxMs: number) => page.waitUntilQuiet(maxMs),
  };
  const temporaryDir = makeTemporary('journey');
  try {
    await runJourney(browser, {
      scriptFile,
      url,
      temporaryDir,
      signal,
      part: 'measured',
      stepLimitMs: limitMs,
      acceptsAnyCertificate: false,
      // The recorder knows how long.
      quietMs: 0,
      leftMs: () => Math.max(0, endMs - performance.now()),
      keep: (step) => {
        progress.show(`recorded step "${step.name}"`);
        quiet = step.quiet && quiet;
      },
      keepSecret: (secret) => secrets.add(secret),
    });
  } finally {
    await rm(temporaryDir, { recursive: true, force: true, maxRetries: 5 });
  }
  return { quiet, secrets: [...secrets] };
}

/** A journey that is recorded is no trial: nothing keeps what its page showed. */
const notShown = new H2h3Error('unsupported', 'the page of a recording is not pictured');

function portTo(page: DrivenPage): JourneyPort {
  const { write, read, sessionId } = page.pipes;
  const relay = new CdpRelay(new PipeTransport(write, read), sessionId);
  const closed = new Promise<string>((resolve) => (relay.onClose = () => resolve('closed the browser')));
  return {
    protocol: 'cdp',
    send: (message) => relay.send(message),
    set onMessage(listener: (message: string) => void) {
      relay.onMessage = listener;
    },
    evaluate: (expression) => page.evaluate(expression),
    screenshot: () => Promise.reject(notShown),
    console: () => Promise.reject(notShown),
    misdeed: Promise.race([page.misdeed, closed]),
    gone: page.gone,
  };
}
