import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readEvidence } from '../../src/store/evidence.ts';
import { readEnvironment, readRecords, runCli } from '../support/cli.ts';
import { boxLack, startBox, translatorLack, type MachineInABox } from '../support/machine-in-a-box.ts';
import { goneLimitMs } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
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
    const messages = ['--workload', 'messages-100b-30ms-x50', '--client', 'embedded', '--server', 'go'];
    await requireWhole('messages', [...messages, ...carried], 2);
    const alike = ['--arm', 'h3', '--arm', 'h3'];
    await requireWhole(
      'commands',
      ['--workload', 'download-1mb', '--client', 'quic-go', '--server', 'caddy', ...alike],
      2,
    );
  });

  test('emulated networks over there are checked with the link behind them, and count what crosses them', async (t) => {
    const lacking = await translatorLack();
    if (lacking !== null) return t.skip(lacking);
    const out = join(folder, 'emulated');
    const loads = ['--sites', 'page-landing', '--client', 'embedded', '--server', 'caddy'];
    const { code, stderr } = await runCli(
      ['run', ...loads, ...quick, '--network', 'cable,starlink', '--client-host', box.host, '--out', out],
      box.environment,
    );
    const refused = pathRefused(stderr);
    if (refused !== null) return t.skip(refused);
    const records = readRecords(out);
    const late = records.find(({ reason }) => machineWasLate(reason));
    if (late !== undefined) return t.skip(late.reason);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      records.map(({ status, reason }) => reason ?? status),
      new Array<string>(4).fill('ok'),
    );
    const { networks } = readEnvironment(out);
    const cable = networks.find(({ id }) => id === 'cable');
    assert.match(cable?.description ?? '', /Behind it the link between two machines$/);
    for (const { quantity, measured, ok } of cable?.checks ?? [])
      if (quantity.includes('with the link behind it')) assert.ok(ok && measured > 10, `${measured} ms`);
    for (const figures of [cable?.realLink, cable?.realLinkAfter])
      assert.ok((figures?.downMbps ?? 0) > 1, JSON.stringify(figures));
    for (const { trialId } of records) {
      const { raw } = readEvidence(join(out, 'trials', trialId));
      const [link] = raw.testbed?.links ?? [];
      assert.equal(raw.linkCourse !== undefined, link?.id === 'starlink', trialId);
      assert.ok(
        (raw.linkFlows ?? []).some(({ downPackets }) => downPackets > 0),
        `${trialId}: flows`,
      );
      assert.ok((raw.connectionStarts ?? []).length > 0, `${trialId}: first flights`);
    }
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
