import type { Page } from 'playwright';
import type { ConnectionTransport } from 'puppeteer-core';
import type { LiveAccess } from '../../../src/core/model/live-access.ts';
import { installCommand } from '../../../src/core/system/optional-package.ts';
import { collected, runtime, type DeclaredTest, type JourneyFixtures } from './journey.ts';
import type { JourneyOrder } from './journey-script.ts';

/** As Playwright's transports have it: messages are parsed. */
interface ParsedTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** Above every number that Playwright gives its own commands. */
const ownId = 1_000_000_000;

interface ParsedMessage {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: { readonly targetInfo?: { readonly targetId: string } };
  readonly result?: {
    readonly targetInfos?: readonly { readonly targetId: string; readonly type: string }[];
  };
}

/**
 * Playwright finds pages by being attached to them by itself. The browser does that for those that come; to the one that
 * is there since the harness attached it must be attached on purpose, before Playwright asks. Where the browser does both,
 * Playwright must not hear of the page twice.
 */
async function attached(transport: ConnectionTransport): Promise<ParsedTransport> {
  const send = (message: object): void => transport.send(JSON.stringify(message));
  const own: ParsedTransport = {
    send,
    close: () => own.onclose?.(),
  };
  let pageTarget: string | undefined;
  let isAttached = false;
  const found = new Promise<void>((resolve) => {
    transport.onmessage = (text) => {
      const message = JSON.parse(text) as ParsedMessage;
      if (message.id === ownId) {
        pageTarget = message.result?.targetInfos?.find(({ type }) => type === 'page')?.targetId;
        return resolve();
      }
      if (
        message.method === 'Target.attachedToTarget' &&
        message.params?.targetInfo?.targetId === pageTarget
      ) {
        if (isAttached) return;
        isAttached = true;
      }
      if (message.id !== ownId + 1) own.onmessage?.(message);
    };
  });
  transport.onclose = () => own.onclose?.();
  send({ id: ownId, method: 'Target.getTargets' });
  await found;
  own.send = (message: ParsedMessage) => {
    if (message.method === 'Target.setAutoAttach' && (message.sessionId ?? '') === '')
      send({
        id: ownId + 1,
        method: 'Target.attachToTarget',
        params: { targetId: pageTarget, flatten: true },
      });
    send(message);
  };
  return own;
}

/** Runs the part of a script that uses Playwright; of what comes before the measured part, the state that it leaves. */
export async function playwrightPart(
  { part, url, protocol, waitLimitMs }: Extract<JourneyOrder, { type: 'run' }>,
  transport: ConnectionTransport,
): Promise<LiveAccess['state'] | null> {
  if (protocol !== 'cdp')
    throw new Error(
      'a script with tests of Playwright runs on the Chromium family only: give one with a default export, which has Puppeteer',
    );
  const { chromium } = await import('playwright').catch((cause: unknown) => {
    throw new Error(`Playwright is not installed: ${installCommand('playwright')}`, { cause });
  });
  // Without defaults nothing of the browser that the harness set up is changed.
  const browser = await chromium.connectOverCDP(await attached(transport), { noDefaults: true });
  const [context] = browser.contexts();
  const [page] = context?.pages() ?? [];
  if (context === undefined || page === undefined) throw new Error('the browser has no page');
  context.setDefaultTimeout(waitLimitMs);
  relativeTo(page, url);
  refuseHistory(page);
  const fixtures = only({ page, context, browser });
  if (part === 'before') {
    for (const work of collected.before) await (work as (given: JourneyFixtures) => unknown)(fixtures);
    const { cookies, origins } = await context.storageState();
    return {
      cookies: cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite }) => ({
        name,
        value,
        domain,
        path,
        expires,
        httpOnly,
        secure,
        sameSite,
      })),
      origins,
    };
  }
  const seen = { steps: 0 };
  const step = runtime.step;
  runtime.step = (...given) => {
    seen.steps++;
    if (step === null) throw new Error('no steps here');
    return step(...given);
  };
  for (const test of collected.tests) await runTest(test, fixtures, seen);
  return null;
}

/** A test without any step is one step itself. */
async function runTest(
  { name, body, caller }: DeclaredTest,
  fixtures: JourneyFixtures,
  seen: { readonly steps: number },
): Promise<void> {
  for (const work of collected.beforeEach) await work(fixtures);
  const hasSteps = /\bstep\s*\(/.test(String(body));
  if (hasSteps || seen.steps > 0) await body(fixtures);
  else await runtime.step?.(name, () => body(fixtures), caller);
  for (const work of collected.afterEach) await work(fixtures);
}

/** Addresses without a host are of the run's address, as with Playwright's `baseURL`. */
function relativeTo(page: Page, base: string): void {
  const goto = page.goto.bind(page);
  page.goto = (address, options) => goto(new URL(address, base).href, options);
}

/** Playwright waits for a load there, which the browser leaves out where it has kept the page: its own browsers keep none. */
function refuseHistory(page: Page): void {
  page.goBack = page.goForward = () =>
    Promise.reject(
      new Error('a journey has no page.goBack and page.goForward: go there by a link or its address'),
    );
}

/** @throws Error for a fixture of Playwright that a journey does not have */
function only(fixtures: JourneyFixtures): JourneyFixtures {
  return new Proxy(fixtures, {
    get: (target, name): unknown => {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
      throw new Error(`a journey has no fixture "${name}": it has page, context and browser`);
    },
  });
}
