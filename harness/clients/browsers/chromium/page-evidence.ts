import type { Protocol } from 'puppeteer-core';
import type { ConsoleLine } from '../../../../src/core/model/journey-failure.ts';
import type { CdpSession } from './cdp-connection.ts';

const jpegQuality = 70;

/** The viewport, as a JPEG. */
export async function screenshotOf(page: CdpSession): Promise<Buffer> {
  const { data } = await page.send('Page.captureScreenshot', { format: 'jpeg', quality: jpegQuality });
  return Buffer.from(data, 'base64');
}

const valueOf = ({ value, description, type }: Protocol.Runtime.RemoteObject): string =>
  typeof value === 'string' ? value : (description ?? JSON.stringify(value) ?? type);

/**
 * The lines of the page's console. Chromium keeps them and hands them over on subscription, so nothing of ours listens while
 * the page is measured.
 */
export async function consoleOf(page: CdpSession): Promise<ConsoleLine[]> {
  const lines: (ConsoleLine & { readonly atMs: number })[] = [];
  page.on('Runtime.consoleAPICalled', ({ type, args, timestamp }) =>
    lines.push({ level: type, text: args.map(valueOf).join(' '), atMs: timestamp }),
  );
  page.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails: { text, exception } }) =>
    lines.push({ level: 'error', text: `${text} ${exception?.description ?? ''}`.trim(), atMs: timestamp }),
  );
  page.on('Log.entryAdded', ({ entry: { level, text, url, timestamp } }) =>
    lines.push({ level, text: [text, url].filter(Boolean).join(' '), atMs: timestamp }),
  );
  await page.send('Runtime.enable');
  await page.send('Log.enable');
  return lines.toSorted((a, b) => a.atMs - b.atMs).map(({ level, text }) => ({ level, text }));
}
