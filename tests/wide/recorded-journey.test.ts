import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ArchiveIndex } from '../../sites/archive/archive-index.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { application, scripts, secrets } from '../support/journey-site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';

/** The same journey by Puppeteer: what is recorded must not depend on by what the script speaks. */
const recordedScripts = {
  playwright: scripts.best,
  puppeteer: scripts.firefox,
};

test('a journey of either kind is recorded behind its log-in, and its recording is measured by the same script', async (t) => {
  const site = await startGuardedSite(t, application);
  const folder = tempFolder(t);
  const environment = { OWN_WORD: secrets.pass };
  for (const [kind, written] of Object.entries(recordedScripts)) {
    const script = join(folder, `${kind}.ts`);
    writeFileSync(script, written.replace(/\?note=' \+ secret\('OWN_NOTE'\)/, `'`));
    const archive = join(folder, kind);
    const trust = kind === 'puppeteer' ? ['--ca', site.certificateFile] : ['--insecure'];
    const asked = ['record', site.url, ...site.connectTo, ...trust, '--script', script, '--out'];
    const recorded = await runCli([...asked, archive], environment);
    if (recorded.code === 3 && /mitmproxy|mitmdump/.test(recorded.stderr)) return t.skip(recorded.stderr);
    assert.equal(recorded.code, 0, recorded.stderr);
    const { entries } = JSON.parse(readFileSync(join(archive, 'index.json'), 'utf8')) as ArchiveIndex;
    const paths = entries.map(({ path, status }) => `${path} ${status}`);
    for (const each of ['/ 200', '/found 200', '/orders 200']) assert.ok(paths.includes(each), paths.join());
    const texts = [recorded.stdout, recorded.stderr, ...textsBelow(archive)].join('\n');
    assert.ok(texts.includes('the account'));
    assert.deepEqual(
      Object.values(secrets).filter((secret) => texts.includes(secret)),
      [],
    );
  }

  const out = join(folder, 'run');
  const archive = join(folder, 'puppeteer');
  const script = join(folder, 'puppeteer.ts');
  const args = ['run', '--sites', archive, '--client', 'best', '--script', script, '--out', out];
  const { code, stderr } = await runCli([...args, '--repetitions', '1', '--exploratory'], environment);
  assert.equal(code, 0, stderr);
  for (const { arm, status, metrics, steps = [] } of readRecords(out)) {
    assert.equal(status, 'ok');
    assert.deepEqual(metrics.protocolShare, { [arm]: 1 });
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['open', 'search', 'orders'],
    );
  }
});
