import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  failureFile,
  failureScreenshotFile,
  journeyFailureSchema,
} from '../../src/core/model/journey-failure.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, readRunFile, runCli } from '../support/cli.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';
import { startTinyApp } from '../support/tiny-app.ts';

const secret = 'card-7d03ab1e';
const basket = `<!doctype html><link rel=icon href="data:,"><title>basket</title><h1>basket</h1><input id="card"><p id="echo"></p>
<script>
  document.querySelector('#card').oninput = ({ target }) => {
    document.querySelector('#echo').textContent = 'paid with ' + target.value;
    if (target.value.length < 13) return;
    console.warn('the card is ' + target.value);
    console.error('the bank said no at ' + innerWidth + ' x ' + innerHeight);
  };
</script>`;
/** Fails over HTTP/3 alone, so that the run begins. */
const script = `import { secret } from 'h2h3/journey';
export default async ({ page, url, step }) => {
  await step('open', () => page.goto(url));
  await step('pay', async () => {
    await page.type('#card', secret('OWN_CARD'));
    const over = await page.evaluate(() => performance.getEntriesByType('navigation')[0].nextHopProtocol);
    if (over === 'h3') throw new Error('no money');
  });
};`;

/** Width and height of a JPEG, by its frame header (ITU-T T.81, B.2.2). */
function sizeOf(jpeg: Buffer): readonly [number, number] {
  let at = 2;
  while (at < jpeg.length && !(jpeg[at + 1] === 0xc0 || jpeg[at + 1] === 0xc2))
    at += 2 + jpeg.readUInt16BE(at + 2);
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
}

for (const client of ['best', 'firefox'] as const)
  test(
    `a journey that fails in ${client} shows its page, console, step and time, without its secrets`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const app = await startTinyApp(t, {
        '/basket': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(basket),
      });
      const folder = tempFolder(t);
      const file = join(folder, 'pay.ts');
      writeFileSync(file, script);
      const out = join(folder, 'run');
      const flags = ['--app', `${app.origin}/basket`, '--client', client, '--script', file];
      const blocks = ['--repetitions', '1', '--recorded', '0', '--exploratory', '--out', out];
      const { code, stderr, stdout } = await runCli(['run', ...flags, ...blocks], { OWN_CARD: secret });
      assert.equal(code, 4, stderr);
      assert.match(stderr, /pay\.ts has no beforeMeasured\(\): all that it does is measured/);
      const failed = readRecords(out).find(({ arm }) => arm === 'h3');
      assert.equal(failed?.status, 'failed');
      const trial = join(out, 'trials', failed.trialId);
      const { step, stepMs, journeyMs, ...seen } = journeyFailureSchema.parse(
        JSON.parse(readFileSync(join(trial, failureFile), 'utf8')),
      );
      assert.equal(step, 'pay');
      assert.ok(stepMs !== null && stepMs > 0 && stepMs < journeyMs);
      assert.match(seen.message, /in step "pay" failed: no money$/);
      assert.match(seen.url ?? '', /^https:\/\/app\.h2h3\.test(?::\d+)?\/basket$/);
      const lines = seen.console.map(({ level, text }) => `${level}: ${text}`).join('\n');
      assert.match(lines, /^error: the bank said no at 1280 x 720$/m);
      assert.match(lines, /^warn(?:ing)?: the card is /m);
      assert.deepEqual(sizeOf(readFileSync(join(trial, failureScreenshotFile))), [1280, 720]);
      const report = readRunFile(out, 'report.html');
      assert.match(
        report,
        /Why the journey failed[^]*no money[^]*data:image\/jpeg;base64,[^]*the bank said no/,
      );
      const written = [stdout, stderr, ...textsBelow(out)].join('\n');
      assert.ok(!written.includes(secret), 'the secret is in no text');
    },
  );
