import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserProgram, type BrowserChoice } from '../../../../src/app/playwright/browser-program.ts';
import { linkWords } from '../../../../src/core/model/program-words.ts';
import { originsOf, protocolOptions } from '../../../../src/app/playwright/protocol-options.ts';
import { placeProgram } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const chromium = (changes: Partial<BrowserChoice> = {}): BrowserChoice => ({
  browserName: 'chromium',
  executablePath: undefined,
  channel: undefined,
  headless: true,
  ownExecutablePath: '/browsers/chromium-1200/chrome-linux64/chrome',
  words: linkWords,
  ...changes,
});

test('the program is the one that Playwright would start: named, of a channel, its own', () => {
  assert.equal(browserProgram(chromium({ executablePath: '/opt/mine', channel: 'chrome' })), '/opt/mine');
  assert.equal(browserProgram(chromium({ channel: 'chrome' })), '/opt/google/chrome/chrome');
  assert.equal(browserProgram(chromium({ channel: 'msedge-beta' })), '/opt/microsoft/msedge-beta/msedge');
  assert.equal(browserProgram(chromium()), chromium().ownExecutablePath);
  assert.throws(
    () => browserProgram(chromium({ browserName: 'firefox', channel: 'moz-firefox' })),
    /^Error: h2h3-link does not know where the channel moz-firefox is.*npx h2h3-link 4g -- npx playwright test$/,
  );
});

test('without a window Playwright starts the shell of the same revision where it is there', (t) => {
  const folder = tempFolder(t);
  const ownExecutablePath = join(folder, 'chromium-1200/chrome-linux64/chrome');
  const shell = placeProgram(
    join(folder, 'chromium_headless_shell-1200/chrome-linux64/chrome-headless-shell'),
  );
  placeProgram(join(folder, 'chromium_headless_shell-1199/chrome-linux/headless_shell'));
  assert.equal(browserProgram(chromium({ ownExecutablePath })), shell);
  assert.equal(browserProgram(chromium({ ownExecutablePath, headless: false })), ownExecutablePath);
  assert.equal(browserProgram(chromium({ ownExecutablePath, channel: 'chromium' })), ownExecutablePath);
});

test('one protocol is left by what trials leave one with, next to the options that there are', () => {
  assert.deepEqual(originsOf(['https://shop.example/a', 'http://localhost:3000', undefined]), [
    'shop.example:443',
    'localhost:3000',
  ]);
  assert.deepEqual(protocolOptions('chromium', 'h2', [], { args: ['--mute-audio'] }), {
    args: ['--mute-audio', '--disable-quic'],
  });
  assert.deepEqual(protocolOptions('chromium', 'h3', ['shop.example:443'], {}).args?.slice(-1), [
    '--origin-to-force-quic-on=shop.example:443',
  ]);
  const { firefoxUserPrefs } = protocolOptions('firefox', 'h3', ['shop.example:443'], {});
  assert.equal(firefoxUserPrefs?.['network.http.http3.alt-svc-mapping-for-testing'], 'shop.example;h3=:443');
  assert.throws(() => protocolOptions('chromium', 'h3', [], {}), /name them, or baseURL/);
  assert.throws(() => protocolOptions('webkit', 'h2', [], {}), /cannot force a protocol in webkit/);
});
