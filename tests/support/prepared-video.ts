import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PrepareContext, PreparedWorkload } from '../../src/core/model/workload.ts';
import { encodeLadder, videoWorkloadNamed } from '../../video/index.ts';
import { readOwnVideos } from '../../video/own-video.ts';
import { ownVideo } from '../../video/playable-video.ts';
import { sessionProfileNamed, sessionProfiles } from '../../video/session-profiles.ts';
import { workloadsOf } from '../../video/workloads.ts';
import { videoContext } from './video-context.ts';

/** A workload of test pictures. */
export function prepared(
  id: string,
  cacheDir: string,
  options: Partial<PrepareContext> = {},
): Promise<PreparedWorkload> {
  const workload = videoWorkloadNamed(id);
  assert.ok(workload !== undefined, id);
  return workload.prepare(videoContext(cacheDir, options));
}

/** Puts what was encoded once into a folder whose files a test may change. @returns that folder */
export function copyOfVideos(cacheDir: string, folder: string): string {
  cpSync(join(cacheDir, 'video'), join(folder, 'video'), { recursive: true });
  return folder;
}

/** An own film of four seconds with sound. */
export async function preparedFilm(
  id: string,
  cacheDir: string,
  options: Partial<PrepareContext> = {},
): Promise<PreparedWorkload> {
  const context = videoContext(cacheDir, options);
  const input = join(cacheDir, 'film.mp4');
  const pictures = ['-f', 'lavfi', '-i', 'testsrc=s=640x360:r=30:d=4'];
  const sound = ['-f', 'lavfi', '-i', 'sine=d=4'];
  const ffmpeg = await context.ffmpegPath();
  const output = ['-pix_fmt', 'yuv420p', input];
  if (!existsSync(input)) execFileSync(ffmpeg, ['-v', 'error', ...pictures, ...sound, ...output]);
  await encodeLadder({ ladder: 'ci', input }, context);
  const [record] = await readOwnVideos(cacheDir);
  const live = sessionProfileNamed('-live-4s');
  assert.ok(record !== undefined && live !== undefined);
  const workload = workloadsOf(ownVideo(record), [...sessionProfiles, live]).find((own) => own.id === id);
  assert.ok(workload !== undefined, id);
  return workload.prepare(context);
}
