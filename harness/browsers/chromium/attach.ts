import type { CDPSession, Protocol } from 'puppeteer-core';
import type { NetworkLog } from './network-log.ts';

/**
 * Bodies are never asked for, so the browser need not keep them: with the default of 100 MB a download would
 * be held in memory while it is measured.
 */
const networkOptions: Protocol.Network.EnableRequest = {
  maxTotalBufferSize: 1,
  maxResourceBufferSize: 1,
  maxPostDataSize: 1,
};

/** Logs the requests of this session's target from now on. */
export async function logRequests(session: CDPSession, log: NetworkLog): Promise<void> {
  log.observe(session);
  await session.send('Network.enable', networkOptions);
}

/**
 * Logs the requests of subframes in other processes, of workers, and of windows that the page opens.
 * Puppeteer attaches to each of them while it waits to start, and lets it go after this listener has run;
 * so `Network.enable` is always there first.
 */
export function logRequestsOfChildren(page: CDPSession, log: NetworkLog): void {
  const connection = page.connection();
  if (connection === undefined) return;
  const ignoreFailure = (): void => undefined; // targets without a network domain, or gone already
  connection.on('sessionattached', (session: CDPSession) => {
    logRequests(session, log).catch(ignoreFailure);
    session.on('Target.attachedToTarget', follow);
  });
  connection.on('sessiondetached', (session: CDPSession) => log.forget(session));
  connection.on('Target.attachedToTarget', follow);

  // Puppeteer lets service workers go at once, and this session with them: they get one of ours.
  const followed = new Set<string>();
  function follow({ targetInfo }: Protocol.Target.AttachedToTargetEvent): void {
    if (targetInfo.type !== 'service_worker' || followed.has(targetInfo.targetId)) return;
    followed.add(targetInfo.targetId);
    connection
      ?.send('Target.attachToTarget', { targetId: targetInfo.targetId, flatten: true })
      .catch(ignoreFailure);
  }
}
