import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { networkingTaskCounters } from './networking-tasks.ts';
import type { Probe, ProbeYield } from './probe.ts';

const kept = 'trace.json.gz';
/** Of JSON: a longer trace is kept, and its tasks are not counted. */
const maxBytes = 256_000_000;
const unpack = promisify(gunzip);

/** Tasks of the browser’s processes, the network service among them: ui.perfetto.dev opens it. */
export const trace: Probe = {
  id: 'trace',
  title: 'Chromium’s trace of the tasks of its processes, for Perfetto',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  keepsTraffic: true,
  launch: { logs: ['trace'] },
  setup: ({ launch, trialDir }) => {
    const file = launch.logs?.trace;
    if (launch.client.family !== 'chromium' || file === undefined)
      throw new H2h3Error('unsupported', `${launch.client.name} gives no trace: only Chromium’s kin do`);
    return {
      teardown: async () => {
        if (!existsSync(file)) return { warnings: ['the browser gave no trace'] };
        await copyFile(file, join(trialDir, kept));
        return { artifacts: { trace: kept }, ...(await tasksIn(file)) };
      },
    };
  },
};

async function tasksIn(file: string): Promise<ProbeYield> {
  try {
    const text = await unpack(await readFile(file), { maxOutputLength: maxBytes });
    return { counters: networkingTaskCounters(JSON.parse(text.toString('utf8'))) };
  } catch (thrown) {
    return { warnings: [`the tasks of the trace were not counted: ${messageOf(thrown)}`] };
  }
}
