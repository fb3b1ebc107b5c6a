import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { fillingBytes } from '../../sites/page/upload-body.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { startGuardedSite, type Answer } from '../support/guarded-site.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Of Playwright it is 5 s, for which a busy machine may have no CPU for the site. */
const answerLimitMs = 60_000;
const photoBytes = 300_000;
const photo = fillingBytes(photoBytes);
const sha256 = createHash('sha256').update(photo).digest('hex');

/** Shows what the site says of a file as soon as it is chosen. */
const page = `<!doctype html><link rel=icon href="data:,"><title>album</title><h1>the album</h1>
<input type=file><p id=receipt></p>
<script>
  const input = document.querySelector('input');
  input.onchange = async () => {
    const body = new FormData();
    body.append('photo', input.files[0]);
    const answer = await fetch('/photos', { method: 'POST', body });
    document.querySelector('#receipt').textContent = await answer.text();
  };
</script>`;

interface Photo {
  readonly bytes: number;
  readonly sha256: string;
}

/** A site that keeps count and SHA-256 of every photo. */
function album(kept: Photo[]): Answer {
  return (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      return;
    }
    void (async () => {
      const type = request.headers['content-type'] ?? '';
      const form = new Response(await buffer(request), { headers: { 'content-type': type } });
      const file = (await form.formData()).get('photo');
      const bytes = file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
      const digest = createHash('sha256').update(bytes).digest('hex');
      kept.push({ bytes: bytes.length, sha256: digest });
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`${bytes.length} ${digest}`);
    })();
  };
}

/** The same journey by Playwright Test and by Puppeteer; it waits for what the site got. */
const scriptOf = {
  best: (file: string) => `import { test, expect } from 'h2h3/journey';
test('album', async ({ page }) => {
  await test.step('open', () => page.goto('/'));
  await test.step('upload', async () => {
    await page.setInputFiles('input[type=file]', ${JSON.stringify(file)});
    await expect(page.locator('#receipt')).toHaveText('${photoBytes} ${sha256}', { timeout: ${answerLimitMs} });
  });
});`,
  firefox: (file: string) => `import { step } from 'h2h3/journey';
export default async ({ page, url }) => {
  await step('open', () => page.goto(url));
  await step('upload', async () => {
    const input = await page.waitForSelector('input[type=file]');
    await input.uploadFile(${JSON.stringify(file)});
    await page.waitForFunction(() => document.querySelector('#receipt').textContent === '${photoBytes} ${sha256}');
  });
};`,
} as const;

for (const client of ['best', 'firefox'] as const)
  test(
    `a journey uploads a file in ${client} over both protocols, and the site gets all of it`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const kept: Photo[] = [];
      const site = await startGuardedSite(t, album(kept));
      const folder = tempFolder(t);
      const file = join(folder, 'photo.jpg');
      writeFileSync(file, photo);
      const script = join(folder, 'album.ts');
      writeFileSync(script, scriptOf[client](file));
      const out = join(folder, 'run');
      const words = ['run', ...site.visitedBy(client), '--script', script, '--repetitions', '1'];
      // Journeys are recorded in `journey.test.ts`, and uploads in `upload.test.ts`.
      const short = ['--recorded', '0', '--exploratory', '--quick-start', '--out', out];
      const { code, stderr } = await runCli([...words, ...short]);
      assert.equal(code, 0, stderr);
      const records = readRecords(out);
      assert.equal(records.length, 2, stderr);
      for (const { arm, status, reason, metrics, steps = [] } of records) {
        assert.equal(status, 'ok', `${arm}: ${reason}`);
        assert.deepEqual(metrics.protocolShare, { [arm]: 1 }, 'the upload is proven too');
        assert.deepEqual(
          steps.map(({ name }) => name),
          ['open', 'upload'],
        );
        assert.ok(Number(steps[1]?.metrics['objectCount']) >= 1, `${arm}: the step asked for nothing`);
      }
      assert.ok(kept.length >= records.length, `${kept.length} photos`);
      for (const one of kept) assert.deepEqual(one, { bytes: photoBytes, sha256 });
    },
  );
