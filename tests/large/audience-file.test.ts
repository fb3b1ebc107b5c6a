import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leftOutShare } from '../../src/core/model/audience.ts';
import { drawNormal, seededRandom } from '../../src/core/model/seeded-random.ts';
import { readAudienceFile } from '../../src/app/plan/audience-file.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { tempFolder } from '../support/temp-folder.ts';

const rows = 1_000_000;
const rowsAtOnce = 20_000;

/** A made-up export: a tenth of the lines has no figures, as those of browsers without the interface. */
function writeExport(file: string): void {
  const random = seededRandom(64);
  const to = openSync(file, 'w');
  writeSync(to, 'rtt,downlink,effectiveType\n');
  for (let written = 0; written < rows; written += rowsAtOnce) {
    const lines = Array.from({ length: rowsAtOnce }, () => {
      if (random.next() < 0.1) return ',,';
      const rttMs = 25 * Math.round((60 * Math.exp(0.9 * drawNormal(random))) / 25);
      const downMbps = Math.min(10, 4 * Math.exp(0.8 * drawNormal(random)));
      return `${rttMs},${downMbps.toFixed(2)},4g`;
    });
    writeSync(to, `${lines.join('\n')}\n`);
  }
  closeSync(to);
}

test('a million page views are read within ten seconds of CPU time and 300 MB', async (t) => {
  const file = join(tempFolder(t), 'rum.csv');
  writeExport(file);
  // Tests share their process, and what others took of it is not this one's.
  const beforeBytes = process.memoryUsage().rss;
  let audience = readAudienceFile(file);
  const grewBytes = process.memoryUsage().rss - beforeBytes;
  const tookMs = await cpuMsOf(() => (audience = readAudienceFile(file)));
  assert.ok(tookMs < 10_000, `${tookMs} ms of CPU time`);
  assert.ok(grewBytes < 300e6, `${grewBytes} bytes`);
  const { conditions } = audience;
  assert.ok(conditions.length > 1 && conditions.length <= 12, String(conditions.length));
  assert.equal(
    conditions.reduce((sum, { segments }) => sum + segments, 0),
    rows - Math.round(rows * leftOutShare(audience)),
  );
  assert.ok(Math.abs(leftOutShare(audience) - 0.1) < 0.005, String(leftOutShare(audience)));
});
