import puppeteer, { type ConnectionTransport } from 'puppeteer-core';
import type { LiveAccess } from '../../../src/core/model/live-access.ts';
import { stateOf } from '../browser-state.ts';
import { collected, runtime, step } from './journey.ts';
import type { JourneyContext, JourneyOrder } from './journey-script.ts';

export type JourneyFunction = (context: JourneyContext) => unknown;

/** Runs the part of a script that uses Puppeteer; of what comes before the measured part, the state that it leaves. */
export async function puppeteerPart(
  { part, url, protocol, acceptsAnyCertificate, waitLimitMs }: Extract<JourneyOrder, { type: 'run' }>,
  transport: ConnectionTransport,
  journey: JourneyFunction,
): Promise<LiveAccess['state'] | null> {
  const browser = await puppeteer.connect({
    transport,
    protocol,
    defaultViewport: null,
    acceptInsecureCerts: acceptsAnyCertificate,
  });
  const [page] = await browser.pages();
  if (page === undefined) throw new Error('the browser has no page');
  page.setDefaultTimeout(waitLimitMs);
  const context: JourneyContext = { page, browser, url, step, secret: runtime.secret };
  if (part === 'measured') {
    await journey(context);
    return null;
  }
  for (const work of collected.before) await (work as unknown as JourneyFunction)(context);
  return stateOf(browser);
}
