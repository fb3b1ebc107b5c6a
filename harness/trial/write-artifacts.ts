import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Har } from '../../src/model/har.ts';
import { messageOf } from '../../src/model/errors.ts';
import type { Frame, RawTrial } from '../../src/model/raw-trial.ts';
import type { CapturedFrame } from '../clients/browsers/browser.ts';
import type { MeasuredTrial } from './run-trial.ts';

export interface WrittenTrial {
  readonly raw: Omit<RawTrial, 'serverLog'>;
  readonly hasHar: boolean;
}

const compress = promisify(gzip);

/** Builds and writes `page.har.gz` and `frames/NNNN.jpg` into the trial's folder. @throws Error when that cannot be written. */
export async function writeArtifacts(trial: MeasuredTrial, trialDir: string): Promise<WrittenTrial> {
  await mkdir(trialDir, { recursive: true });
  const warnings = [...trial.raw.warnings];
  const [har, frames] = await Promise.all([
    buildHar(trial, warnings),
    trial.frames && writeFrames(trial.frames, join(trialDir, 'frames')),
  ]);
  const hasHar = har !== null && har.log.entries.length > 0;
  if (hasHar) await writeFile(join(trialDir, 'page.har.gz'), await compress(JSON.stringify(har)));
  return { raw: { ...trial.raw, warnings, frames }, hasHar };
}

async function buildHar(trial: MeasuredTrial, warnings: string[]): Promise<Har | null> {
  try {
    return (await trial.buildHar?.()) ?? null;
  } catch (thrown) {
    warnings.push(`no HAR could be made: ${messageOf(thrown)}`);
    return null;
  }
}

async function writeFrames(frames: readonly CapturedFrame[], folder: string): Promise<Frame[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    frames.map(async ({ jpeg, tMs }, index) => {
      const file = `${String(index).padStart(4, '0')}.jpg`;
      await writeFile(join(folder, file), jpeg);
      return { file, tMs };
    }),
  );
}
