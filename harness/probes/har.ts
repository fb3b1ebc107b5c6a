import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { messageOf } from '../../src/core/model/errors.ts';
import type { Har } from '../../src/core/model/har.ts';
import type { ClientRecording, Probe, ProbeYield } from './probe.ts';

const compress = promisify(gzip);
const file = 'page.har.gz';

/** The client's own network events. The client records them; the HAR is built when it has ended. */
export const har: Probe = {
  id: 'har',
  title: 'network events of the client as a HAR; the proof of the protocol',
  recorded: 'always',
  // In a timed trial a browser records nothing of its own, and nothing is written here.
  inTimed: true,
  setup: ({ trialDir }) => ({ teardown: (recording) => write(recording, trialDir) }),
};

async function write({ buildHar }: ClientRecording, trialDir: string): Promise<ProbeYield> {
  let built: Har | null;
  try {
    built = (await buildHar?.()) ?? null;
  } catch (thrown) {
    return { warnings: [`no HAR could be made: ${messageOf(thrown)}`] };
  }
  if (built === null || built.log.entries.length === 0) return {};
  await writeFile(join(trialDir, file), await compress(JSON.stringify(built)));
  return { artifacts: { har: file } };
}
