import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Probe } from './probe.ts';

const kept = 'firefox-profile.json.gz';
/** Firefox keeps 32 MB of samples a process; a file of something else is not packed for ever. */
const maxBytes = 512_000_000;

/** What Firefox's processes do, by its own profiler: profiler.firefox.com opens it. */
export const firefoxProfile: Probe = {
  id: 'firefox-profile',
  title: 'Firefox’s profile of its processes and their network threads, for profiler.firefox.com',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  keepsTraffic: true,
  launch: { logs: ['geckoProfile'] },
  setup: ({ launch, trialDir }) => {
    const file = launch.logs?.geckoProfile;
    if (launch.client.family !== 'firefox' || file === undefined)
      throw new H2h3Error('unsupported', `${launch.client.name} writes no Firefox profile`, {
        next: 'Chromium’s tasks are in the probe trace.',
      });
    return {
      teardown: async () => {
        if (!existsSync(file)) return { warnings: ['Firefox wrote no profile'] };
        const { size } = await stat(file);
        if (size > maxBytes) return { warnings: [`a profile of ${size} bytes is not kept`] };
        await pipeline(createReadStream(file), createGzip(), createWriteStream(join(trialDir, kept)));
        return { artifacts: { firefoxProfile: kept } };
      },
    };
  },
};
