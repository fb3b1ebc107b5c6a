import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { vmafFfmpeg } from '../../harness/tools/ffmpeg.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { digestOf } from '../../src/core/system/package-archive.ts';
import { prepareAsset } from '../../video/encoder/prepare-asset.ts';
import type { AssetRequest } from '../../video/encoder/asset.ts';
import { ladderNamed } from '../../video/ladders/registry.ts';
import type { Ladder } from '../../video/ladders/ladder.ts';
import { projectDir } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { videoContext } from '../support/video-context.ts';

const vmafPath = await vmafFfmpeg(await createSetupContext({ projectDir }));
const skip = vmafPath === undefined ? 'there is no ffmpeg that works out VMAF' : false;

/** Two qualities of one picture, small enough to encode in seconds. */
const small: Ladder = {
  ...ladderNamed('streaming'),
  id: 'small',
  tracks: [
    { bitrateKbps: 150, width: 320, height: 180 },
    { bitrateKbps: 2000, width: 640, height: 360 },
  ],
};

const request = (chunkSeconds: number): AssetRequest => ({
  ladder: small,
  chunkSeconds,
  mediaSeconds: 4,
  filmSeconds: 4,
  playSeconds: [4],
  source: { kind: 'generated' },
});

/** VMAF of a whole encode, each frame compared, as ffmpeg pools it. */
function ffmpegsOwn(file: string, log: string): number {
  const original = 'testsrc2=s=640x360:r=30,noise=alls=20:allf=t';
  const graph = `[0:v]scale=640:360:flags=bicubic[d];[d][1:v]libvmaf=log_fmt=json:log_path=${log}`;
  const inputs = ['-i', file, '-f', 'lavfi', '-i', `${original},format=yuv420p`];
  const output = ['-lavfi', graph, '-frames:v', '120', '-f', 'null', '-'];
  execFileSync(vmafPath ?? '', ['-v', 'error', '-nostdin', ...inputs, ...output]);
  const { pooled_metrics: pooled } = JSON.parse(readFileSync(log, 'utf8')) as {
    pooled_metrics: { vmaf: { mean: number } };
  };
  return pooled.vmaf.mean;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test(
  'VMAF of each segment is within 0.5 of what ffmpeg says of the whole, and better tracks have more',
  { skip },
  async (t) => {
    const cacheDir = tempFolder(t);
    const context = videoContext(cacheDir, { vmafPath: () => Promise.resolve(vmafPath) });
    const { asset } = await prepareAsset(request(1), context);
    const encodes = join(cacheDir, 'video/encodes');
    const files = readdirSync(encodes)
      .filter((name) => name.endsWith('.mp4'))
      .map((name) => join(encodes, name))
      .sort((a, b) => statSync(a).size - statSync(b).size);
    assert.equal(files.length, 2);
    const means = asset.tracks.map(({ segmentVmaf = [] }) => {
      assert.equal(segmentVmaf.length, 4);
      return mean(segmentVmaf);
    });
    const own = files.map((file, index) => ffmpegsOwn(file, join(cacheDir, `${index}.json`)));
    for (const [index, value] of means.entries())
      assert.ok(Math.abs(value - (own[index] ?? NaN)) < 0.5, `${value} here, ${own[index]} by ffmpeg`);
    assert.ok((means[1] ?? 0) > (means[0] ?? 0) + 10, means.join());
    // Chunks of another length are of the same encode, which is compared once.
    const compared = readdirSync(encodes).filter((name) => name.endsWith('.vmaf.json'));
    const before = compared.map((name) => statSync(join(encodes, name)).mtimeMs);
    const two = await prepareAsset(request(2), context);
    assert.deepEqual(
      compared.map((name) => statSync(join(encodes, name)).mtimeMs),
      before,
    );
    const halves = two.asset.tracks.map(({ segmentVmaf = [] }) => segmentVmaf);
    assert.deepEqual(
      halves.map((values) => values.length),
      [2, 2],
    );
    halves.forEach((values, index) => assert.ok(Math.abs(mean(values) - (means[index] ?? NaN)) < 1e-6));
  },
);

test(
  'an own video is compared with itself, whatever its folder is called and whatever track comes before it',
  { skip },
  async (t) => {
    const folder = tempFolder(t);
    const file = join(folder, 'in.mkv');
    const still = ['-f', 'lavfi', '-i', 'color=c=red:s=480x480:d=0.04'];
    const pictures = ['-f', 'lavfi', '-i', 'testsrc=s=480x480:r=25:d=4', '-c:v', 'libx264', '-qp', '0'];
    execFileSync(vmafPath ?? '', ['-v', 'error', ...still, ...pictures, '-map', '0:v', '-map', '1:v', file]);
    const cacheDir = join(folder, "it's, [odd]: name");
    const context = videoContext(cacheDir, { vmafPath: () => Promise.resolve(vmafPath) });
    const sha256 = await digestOf(file, 'sha256', 'hex');
    const { asset } = await prepareAsset(
      { ...request(4), source: { kind: 'file', file, sha256, track: 1 } },
      context,
    );
    const [low, high] = asset.tracks.map(({ segmentVmaf: [only = NaN] = [] }) => only);
    assert.ok((high ?? NaN) > 90 && (low ?? NaN) < (high ?? NaN), `${low} ${high}`);
  },
);

test(
  'without an ffmpeg that can, segments have no VMAF, and padded ladders never have',
  { skip },
  async (t) => {
    const cacheDir = tempFolder(t);
    const without = await prepareAsset(request(4), videoContext(cacheDir));
    assert.ok(without.asset.tracks.every(({ segmentVmaf }) => segmentVmaf === undefined));
    const context = videoContext(cacheDir, { vmafPath: () => Promise.resolve(vmafPath) });
    const padded = await prepareAsset({ ...request(4), ladder: ladderNamed('ci') }, context);
    assert.ok(padded.asset.tracks.every(({ segmentVmaf }) => segmentVmaf === undefined));
  },
);
