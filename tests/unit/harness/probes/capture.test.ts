import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProgram } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What setting the probe up comes to in a process of its own, on a machine with these programs. */
async function saidWith(
  t: { after: (end: () => void) => void },
  programs: string,
  server: unknown,
): Promise<string> {
  const context = { launch: { server, logs: {} }, tempDir: tempFolder(t) };
  const script = `import('./harness/probes/capture.ts').then(({ capture }) => capture.setup(${JSON.stringify(context)}))
    .then(() => console.log('recording'), (error) => console.log(error.code + ': ' + error.message + ' ' + error.next));`;
  const { stdout } = await startProgram([process.execPath, '-e', script], { PATH: programs }).result;
  return stdout;
}

test('without dumpcap nothing is captured, and what would help is said', async (t) => {
  const said = await saidWith(t, '/nowhere', { address: '127.0.0.1', port: 1 });
  assert.match(said, /^unsupported: there is no dumpcap .*Debian: tshark/);
});

test('the packets of a live address are not known', async (t) => {
  assert.match(await saidWith(t, '/nowhere', null), /^unsupported: .*live address/);
});
