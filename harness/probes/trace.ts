import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { Probe } from './probe.ts';

const kept = 'trace.json.gz';

/** Tasks of the browser’s processes, the network service among them: ui.perfetto.dev opens it. */
export const trace: Probe = {
  id: 'trace',
  title: 'Chromium’s trace of the tasks of its processes, for Perfetto',
  recorded: 'asked',
  launch: { logs: ['trace'] },
  setup: ({ launch, trialDir }) => {
    const file = launch.logs?.trace;
    if (launch.client.family !== 'chromium' || file === undefined)
      throw new H2h3Error('unsupported', `${launch.client.name} gives no trace: only Chromium’s kin do`);
    return {
      teardown: async () => {
        if (!existsSync(file)) return { warnings: ['the browser gave no trace'] };
        await copyFile(file, join(trialDir, kept));
        return { artifacts: { trace: kept } };
      },
    };
  },
};
