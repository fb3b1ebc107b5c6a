import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { merge } from '../../src/app/merge/merge.ts';
import { ownPart } from '../../src/core/model/lease.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateRun } from '../support/generated-run.ts';
import { silent } from '../support/silent-progress.ts';

// Merges, summarises and renders a whole matrix, and says what that took: npm run verify:merge [-- sites networks blocks shards]

const maxSeconds = 60;
const maxGigabytes = 2;
const maxMegabytes = 3;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes the shards of a matrix without artifacts; returns how many trials it has. */
function writeShards(folder: string, [sites, networks, blocks, shards]: readonly number[]): number {
  const workloads = Array.from({ length: sites ?? 0 }, (_, i) => ({
    id: `page-${i}`,
    kind: 'page' as const,
  }));
  const names = Array.from({ length: networks ?? 0 }, (_, i) => `network-${i}`);
  const { plan, records } = generateRun({ workloads, networks: names, blocks: blocks ?? 0 });
  const byTrial = new Map(records.map((record) => [record.trialId, record]));
  for (let index = 1; index <= (shards ?? 0); index++) {
    const part = { ...plan, shard: { index, count: shards ?? 0 } };
    const host = `lab-${index}`;
    const path = join(folder, `part-${index}`);
    mkdirSync(path);
    writeFileSync(join(path, 'plan.json'), JSON.stringify(part));
    writeFileSync(
      join(path, 'environment.json'),
      JSON.stringify({ ...environmentFixture(['chromium'], names), host }),
    );
    const lines = ownPart(part).trials.map(({ trialId }) =>
      JSON.stringify({ ...byTrial.get(trialId), artifacts: {}, host }),
    );
    writeFileSync(join(path, 'journal.jsonl'), `${lines.join('\n')}\n`);
  }
  return plan.trials.length;
}

async function mergeHere(folder: string): Promise<void> {
  const parts = readdirSync(folder).filter((name) => name.startsWith('part-'));
  const begun = performance.now();
  const out = join(folder, 'all');
  await merge(
    parts.map((name) => join(folder, name)),
    { out },
    { progress: silent },
  );
  const seconds = (performance.now() - begun) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
  const gigabytes = (maxRSS * 1024) / 1e9;
  const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const sizes = pages.map((name) => ({ name, megabytes: statSync(join(out, name)).size / 1e6 }));
  const [largest = { name: 'none', megabytes: Infinity }] = sizes.sort((a, b) => b.megabytes - a.megabytes);
  say(
    `merged, summarised and rendered in ${seconds.toFixed(1)} s (limit ${maxSeconds}), ${cpuSeconds.toFixed(1)} s of CPU time`,
  );
  say(`memory at most ${gigabytes.toFixed(2)} GB (limit ${maxGigabytes})`);
  say(
    `${pages.length} pages, the largest ${largest.megabytes.toFixed(2)} MB (limit ${maxMegabytes}): ${largest.name}`,
  );
  process.exitCode =
    seconds <= maxSeconds && gigabytes <= maxGigabytes && largest.megabytes <= maxMegabytes ? 0 : 1;
}

// `merge FOLDER` is the part of this that is measured; FOLDER holds the shards and is kept.
const [first = '', ...rest] = process.argv.slice(2);
if (first === 'merge') await mergeHere(rest[0] ?? '');
else {
  const given = [first, ...rest].filter((word) => word !== '').map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'h2h3-large-merge-'));
  try {
    say(`${writeShards(folder, given.length === 4 ? given : [100, 30, 20, 4])} trials`);
    // A process of its own, so that what made them is no part of the figure.
    const words = [...process.execArgv, import.meta.filename, 'merge', folder];
    process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
