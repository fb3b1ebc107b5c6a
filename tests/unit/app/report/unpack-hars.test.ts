import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { unpackHars } from '../../../../src/app/report/unpack-hars.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { pageLoadFixture } from '../../../support/page-load-fixture.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('HARs are unpacked beside the report, earlier ones go, what is missing or damaged is told apart', (t) => {
  const parent = tempFolder(t);
  const directory = createRunDirectory(join(parent, 'run'), generateRun().plan);
  const trial = (trialId: string, content?: string | Buffer): { trialId: string } => {
    const folder = join(directory.path, 'trials', trialId);
    mkdirSync(folder, { recursive: true });
    if (content !== undefined) writeFileSync(join(folder, 'page.har.gz'), content);
    return { trialId };
  };
  const whole = gzipSync(JSON.stringify(pageLoadFixture({ arm: 'h3', requests: 4 }).har));
  mkdirSync(join(directory.path, 'har'));
  writeFileSync(join(directory.path, 'har', 'old.har'), '{}');
  mkdirSync(join(parent, 'outside'));
  writeFileSync(join(parent, 'outside', 'page.har.gz'), whole);
  const outside = { trialId: '../../outside' };
  const { hars, warnings } = unpackHars(directory, [
    trial('a-h2#2', whole),
    trial('none'),
    trial('damaged', 'no gzip'),
    trial('no-har', gzipSync('{}')),
    outside,
  ]);
  assert.deepEqual(hars, [{ trialId: 'a-h2#2' }]);
  assert.deepEqual(readdirSync(join(directory.path, 'har')), ['a-h2#2.har']);
  assert.deepEqual(
    warnings.map((warning) => warning.split(':')[0]),
    ['damaged', 'no-har', '../../outside'],
  );
  assert.ok(!existsSync(join(parent, 'outside.har')));
});

test('the report links each of them by a name that an address can hold', async () => {
  const har = {
    trialId: 'b0-<x>-h2#2',
    workload: 'page-1',
    client: 'chromium',
    network: 'none',
    blockIndex: 0,
    arm: 'h2#2',
  };
  const text = await renderHtmlReport(summaryFixture(), { hars: [har] });
  assert.match(text, /href="har\/b0-%3Cx%3E-h2%232\.har"/);
});
