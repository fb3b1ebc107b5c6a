import type { Protocol } from 'puppeteer-core';
import type { CdpSession } from './cdp-connection.ts';
import type { NetworkLog } from './network-log.ts';
import type { Targets } from './targets.ts';

/**
 * Bodies are never asked for, so the browser need not keep them: with its default of 100 MB a download would
 * be held in memory while it is measured.
 */
const networkOptions: Protocol.Network.EnableRequest = {
  maxTotalBufferSize: 1,
  maxResourceBufferSize: 1,
  maxPostDataSize: 1,
};

/** Logs the requests of `page` from now on, and those of its subframes in other processes, workers and windows. */
export async function logRequests(page: CdpSession, targets: Targets, log: NetworkLog): Promise<void> {
  const observe = (session: CdpSession): Promise<unknown> => {
    log.observe(session);
    return session.send('Network.enable', networkOptions);
  };
  targets.observe(
    // Some kinds of target have no network domain, and some are gone by then.
    (session) => void observe(session).catch(() => undefined),
    (session) => log.forget(session),
  );
  await observe(page);
}
