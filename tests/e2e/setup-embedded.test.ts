import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import {
  ensureEmbeddedChromium,
  findEmbeddedPackage,
} from '../../harness/clients/browsers/embedded-chromium.ts';
import { ensureFfmpeg } from '../../harness/tools/ffmpeg.ts';
import { runProgram } from '../../src/core/system/run-program.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { newPage } from '../support/opened-report.ts';
import { startLimitMs } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testEnvironment } from '../support/test-scope.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');

/** The embedded Chromium as on a machine without its libraries and without any font. */
async function onBareMachine(folder: string): Promise<ClientIdentity> {
  const context = await createSetupContext({
    projectDir,
    // No `ldd` that could say that the machine's libraries do.
    run: (command, args, options) =>
      command === 'ldd'
        ? Promise.reject(new H2h3Error('unsupported', 'no ldd'))
        : runProgram(command, args, options),
  });
  const client = await ensureEmbeddedChromium(context);
  assert.ok(client.environment['LD_LIBRARY_PATH'] !== undefined);
  const fontsFile = client.environment['FONTCONFIG_FILE'] ?? '';
  const ownFontsOnly = readFileSync(fontsFile, 'utf8').replaceAll(
    /^.*(<include |<dir>\/usr|<dir>~|prefix="xdg").*\n/gm,
    '',
  );
  const bareFontsFile = path.join(folder, 'fonts.conf');
  writeFileSync(bareFontsFile, ownFontsOnly);
  return { ...client, environment: { ...client.environment, FONTCONFIG_FILE: bareFontsFile } };
}

async function openBrowser(
  t: TestContext,
  { executablePath, environment }: ClientIdentity,
  home: string,
): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath,
    headless: 'shell',
    pipe: true,
    env: { HOME: home, ...environment, ...testEnvironment() },
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
    timeout: startLimitMs,
  });
  t.after(() => browser.close());
  return browser;
}

test('the embedded Chromium paints text and plays H.264 with nothing but what it brought', async (t) => {
  const context = await createSetupContext({ projectDir });
  if ((await findEmbeddedPackage(context)) === undefined)
    return t.skip('no embedded build for this platform');
  const folder = tempFolder(t);
  const client = await onBareMachine(folder);
  const browser = await openBrowser(t, client, folder);
  assert.match(await browser.version(), new RegExp(`^HeadlessChrome/${client.version.split('.')[0]}\\.`));
  const page = await newPage(browser);
  await page.setContent(pageHtml(await h264Video(folder)));
  const measured = (await page.evaluate('globalThis.measured')) as Measured;
  assert.ok(measured.textHeight > 20 && measured.textWidth > 40, JSON.stringify(measured));
  assert.equal(measured.videoWidth, 320);
  assert.ok(measured.frames > 10, JSON.stringify(measured));
});

const machinesFonts = '/usr/share/fonts/truetype/dejavu';

test('the embedded Chromium has the fonts of the machine, whatever other browsers keep in its caches', async (t) => {
  if (!existsSync(machinesFonts)) return t.skip(`no ${machinesFonts}`);
  const context = await createSetupContext({ projectDir });
  if ((await findEmbeddedPackage(context)) === undefined)
    return t.skip('no embedded build for this platform');
  const browser = await openBrowser(t, await ensureEmbeddedChromium(context), tempFolder(t));
  const page = await newPage(browser);
  await page.setContent('<p style="font-family: DejaVu Sans Mono">Text</p>');
  const session = await page.createCDPSession();
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  assert.deepEqual(
    fonts.map(({ familyName }) => familyName),
    ['DejaVu Sans Mono'],
  );
});

interface Measured {
  readonly textWidth: number;
  readonly textHeight: number;
  readonly videoWidth: number;
  readonly frames: number;
}

/** A page that measures itself: `globalThis.measured` is a promise of `Measured`, resolved when the video has ended. */
function pageHtml(video: string): string {
  return `<span style="font-size: 40px">Text</span><video muted src="${video}"></video><script>
globalThis.measured = (async () => {
  const video = document.querySelector('video');
  const text = document.querySelector('span').getBoundingClientRect();
  await video.play();
  await new Promise((resolve) => video.addEventListener('ended', resolve));
  const frames = video.getVideoPlaybackQuality().totalVideoFrames;
  return { textWidth: text.width, textHeight: text.height, videoWidth: video.videoWidth, frames };
})();
</script>`;
}

/** A second of H.264 as a data URL. */
async function h264Video(folder: string): Promise<string> {
  const file = path.join(folder, 'video.mp4');
  const { path: ffmpeg } = await ensureFfmpeg(await createSetupContext({ projectDir }));
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=30',
    '-t',
    '1',
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
  ];
  const result = await runProgram(ffmpeg, ['-y', ...source, file], { timeoutMs: 60_000 });
  assert.equal(result.exitCode, 0, result.stderr);
  return `data:video/mp4;base64,${readFileSync(file).toString('base64')}`;
}

test('unpacking shows its progress and is done once', async (t) => {
  const fractions: number[] = [];
  const context = await createSetupContext({
    projectDir,
    cacheDir: tempFolder(t),
    progress: ({ fraction }) => {
      if (fraction !== undefined) fractions.push(fraction);
    },
  });
  if ((await findEmbeddedPackage(context)) === undefined)
    return t.skip('no embedded build for this platform');
  const first = await ensureEmbeddedChromium(context);
  assert.equal(fractions.at(-1), 1);
  assert.ok(fractions.length > 50);
  assert.deepEqual(
    [...fractions].sort((a, b) => a - b),
    fractions,
  );
  const shown = fractions.length;
  assert.deepEqual(await ensureEmbeddedChromium(context), first);
  assert.equal(fractions.length, shown);
});
