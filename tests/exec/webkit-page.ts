/**
 * `webkit-page.ts DRIVER XVFB ADDRESS`: loads a page in WebKitGTK, and prints how long its answer was waited for, ms, and whether it is a
 * secure context. It runs behind what `npm run verify:exec` tries.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { WebDriver } from '../../harness/clients/browsers/webkit/webdriver.ts';
import { unusedPort } from '../../src/core/system/free-port.ts';

const [driver = '', xvfb = '', address = ''] = process.argv.slice(2);
const limitMs = 60_000;

const display = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
  stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
});
const [number] = (await once(createInterface({ input: display.stdio[3] as Readable }), 'line')) as [string];
const port = await unusedPort();
const environment = { DISPLAY: `:${number}`, NO_AT_BRIDGE: '1', LIBGL_ALWAYS_SOFTWARE: '1' };
const program = spawn(driver, ['--host=127.0.0.1', `--port=${port}`], {
  stdio: 'ignore',
  env: { ...process.env, ...environment },
});
try {
  const page = await WebDriver.open(port, { browserName: 'MiniBrowser' }, AbortSignal.timeout(limitMs));
  await page.navigate(address);
  const waited =
    "performance.getEntriesByType('navigation').map((own) => own.responseStart - own.requestStart)[0]";
  const found = [await page.evaluate(waited), await page.evaluate('isSecureContext')];
  process.stdout.write(`${found.join(' ')}\n`);
  await page.end();
} finally {
  program.kill();
  display.kill();
}
