import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readRecords, runCli } from '../support/cli.ts';
import { boxLack, startBox, type MachineInABox } from '../support/machine-in-a-box.ts';
import { goneLimitMs } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { requireWithstood, strikeFarRuns, type FarStrikeName } from '../torture/far-strikes.ts';

const lack = boxLack();
const quick = ['--exploratory', '--quick-start', '--recorded', '0', '--repetitions', '1'];
const strikes: readonly FarStrikeName[] = ['ssh', 'part', 'coordinator', 'disk'];

describe('all kinds of loads by clients on another machine', { skip: lack ?? false }, () => {
  const cleanups: (() => void)[] = [];
  const ownFolder = (): string => tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
  let box: MachineInABox;
  let folder = '';

  before(async () => {
    folder = ownFolder();
    box = await startBox(ownFolder());
  });
  after(async () => {
    await box.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  async function requireWhole(name: string, words: readonly string[], trials: number): Promise<void> {
    const out = join(folder, name);
    const { code, stderr } = await runCli(
      ['run', ...words, ...quick, '--client-host', box.host, '--out', out],
      box.environment,
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      readRecords(out).map(({ status, reason }) => reason ?? status),
      new Array<string>(trials).fill('ok'),
    );
  }

  test('broadcasts, uploads and second visits are proven, and servers and proxies of an arm take turns', async () => {
    const browser = ['--client', 'embedded', '--server', 'caddy'];
    await requireWhole('sessions', ['--workload', 'video-ci-1s-own-live-4s,upload-1mb', ...browser], 4);
    const arms = ['--arms', 'h2,h2+tls=1.2,h3+proxy=envoy-h3'];
    await requireWhole('turns', ['--sites', 'page-landing', '--view', 'repeat', ...browser, ...arms], 3);
  });

  test('messages and command-line clients', async () => {
    const carried = ['--arms', 'h2+transport=websocket,h3+transport=wt-streams'];
    const messages = ['--workload', 'messages-100b-10ms-x50', '--client', 'embedded', '--server', 'go'];
    await requireWhole('messages', [...messages, ...carried], 2);
    const alike = ['--arm', 'h3', '--arm', 'h3'];
    await requireWhole(
      'commands',
      ['--workload', 'download-1mb', '--client', 'quic-go', '--server', 'caddy', ...alike],
      2,
    );
  });

  test('whatever is struck, nothing is left, no trial is lost or run twice, and a lost connection fails one trial alone', async () => {
    const result = await strikeFarRuns(box, {
      run: [
        '--workload',
        'download-1mb',
        '--client',
        'embedded',
        '--server',
        'caddy',
        ...quick,
        '--repetitions',
        '16',
      ],
      role: 'clients',
      names: strikes,
      instants: strikes.length,
      seed: 3,
      folder,
      goneLimitMs,
    });
    requireWithstood(result);
  });
});
