import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from '../../src/core/model/raw-trial.ts';
import type { CapturedFrame } from '../clients/client-driver.ts';
import type { Probe } from './probe.ts';

const folder = 'frames';

/** Frames of the viewport. Of pages only: to encode each frame of a video would cost more than to play it. */
export const frames: Probe = {
  id: 'frames',
  title: 'frames of the viewport, for Speed Index and visual completeness',
  recorded: 'usually',
  inTimed: false,
  kinds: ['page'],
  launch: { frames: true },
  setup: ({ trialDir }) => ({
    teardown: async (recording) =>
      recording.frames === null
        ? {}
        : {
            raw: { frames: await write(recording.frames, join(trialDir, folder)) },
            artifacts: { frames: folder },
          },
  }),
};

async function write(captured: readonly CapturedFrame[], directory: string): Promise<Frame[]> {
  await mkdir(directory, { recursive: true });
  return Promise.all(
    captured.map(async ({ jpeg, tMs }, index) => {
      const file = `${String(index).padStart(4, '0')}.jpg`;
      await writeFile(join(directory, file), jpeg);
      return { file, tMs };
    }),
  );
}
