import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandClients } from '../../harness/clients/commands/registry.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { noH2Reason, noH3Reason } from '../../harness/servers/spoken-protocols.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import type { ServerSoftware } from '../../harness/servers/server-software.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { uploadWorkloadNamed } from '../../sites/index.ts';
import { sinkOrigin } from '../../sites/uploads/upload-workload.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { killTree } from '../../src/core/system/processes/kill-tree.ts';
import type { SinkLine } from '../../src/core/model/sink-line.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { projectDir, readRecords, readRunFile, runCli } from '../support/cli.ts';
import { protocolsHere, skipsWithout } from '../support/clients-here.ts';
import { inBrowser, leftToWide } from '../support/left-to-wide.ts';
import { startOrigin } from '../support/origin-server.ts';
import { waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runTrialWorker, trialOrder } from '../support/trial-rig.ts';

const setup = await createSetupContext({ projectDir });
const limitMs = 60_000;

/** Servers of browsers that are on this machine already. */
const present: ServerSoftware[] = [];
for (const software of serverSoftware)
  if (software.scope === undefined && (await software.find(setup)) !== undefined) present.push(software);

/** Browsers send in both ways of a page, command-line clients what a file holds. */
const byPage = ['upload-100kb', 'upload-form', 'upload-100kb-xhr'];
const byCommand = ['upload-100kb', 'upload-form'];

for (const [client, workloads] of [
  ['embedded', byPage],
  ['firefox', byPage],
  ['curl', byCommand],
  ['quic-go', byCommand],
] as const)
  test(`${client} uploads over both protocols to the servers, and every digest agrees`, async (t) => {
    if (await skipsWithout(t, client)) return;
    const others = present.map(({ id }) => id).filter((id) => id !== 'caddy');
    // What a second server takes is tried with Chromium; `npm run test:wide` tries it with Firefox, too.
    const serverCount = client === 'firefox' && leftToWide !== false ? 1 : 2;
    const servers = ['caddy', ...others].slice(0, serverCount);
    if (servers.length < serverCount) t.diagnostic('there is one server here');
    const out = join(tempFolder(t), 'run');
    const protocols = await protocolsHere(client, (line) => t.diagnostic(line));
    const arms = servers.flatMap((server) => protocols.map((protocol) => `${protocol}+server=${server}`));
    const words = ['run', '--workload', workloads.join(','), '--client', client, '--arms', arms.join(',')];
    const more = [
      '--network',
      'loopback',
      '--repetitions',
      '1',
      '--recorded',
      '1',
      '--exploratory',
      '--quick-start',
    ];
    const { stderr } = await runCli([...words, ...more, '--out', out]);
    const records = readRecords(out);
    // Of a command-line client nothing more is recorded in a block of its own.
    const blocks = workloads === byCommand ? 1 : 2;
    assert.equal(records.length, blocks * workloads.length * arms.length, stderr);
    for (const { trialId, arm, workload, status, reason, metrics, factors } of records) {
      const about = `${client} ${workload} ${arm}`;

      assert.equal(status, 'ok', `${about}: ${reason}`);
      const { raw, workload: stored } = readEvidence(join(out, 'trials', trialId));
      const [line, ...others] = raw.arrived ?? [];
      assert.deepEqual(others, [], about);
      assert.deepEqual(
        [line?.end, line?.bytes, line?.sha256],
        ['whole', stored.upload?.bytes, stored.upload?.sha256],
        about,
      );
      const logged = raw.serverLog?.find(({ method }) => method === 'POST');
      assert.equal(logged?.protocol, factors.protocol, about);
      assert.ok(Number(metrics['uploadMs']) > 0 && Number(metrics['uploadMbps']) > 0, about);
      const fullBarMs = metrics['uploadFullBarMs'];
      assert.equal(typeof fullBarMs, workload.endsWith('-xhr') ? 'number' : 'undefined', about);
    }
    assert.match(readRunFile(out, 'report.html'), /upload time/);
    assert.ok(existsSync(join(out, 'summary.json')));
  });

async function prepared(t: TestContext, id: string): Promise<PreparedWorkload> {
  const workload = uploadWorkloadNamed(id);
  assert.ok(workload);
  return workload.prepare({
    cacheDir: tempFolder(t),
    projectDir,
    port: 0,
    ffmpegPath: () => Promise.reject(new Error('an upload needs no ffmpeg')),
    progress: () => undefined,
    signal: AbortSignal.timeout(60_000),
  });
}

test('a server that wants no more of it makes an upload failed, with what had arrived', async (t) => {
  const client = await resolveClient('embedded', setup);
  const workload = await prepared(t, 'upload-1mb');
  const roots = workload.roots.map((root) =>
    root.origin === undefined ? root : { ...root, origin: sinkOrigin(10_000) },
  );
  const { spkiHash } = await openCertificateStore({ cache: setup.cache });
  for (const protocol of ['h2', 'h3'] as const) {
    const server = await startOrigin(t, { roots });
    const startedEpochMs = Date.now();
    const order = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash,
      changes: { protocol },
      workload: { ...workload, roots },
    });
    const { done, har } = await runTrialWorker(order);
    const arrived = await server.arrivedSince?.(startedEpochMs);
    assert.equal(arrived?.[0]?.end, 'refused', protocol);
    const { status, reason } = await deriveTrial({
      protocol,
      workload,
      raw: { ...done.raw, serverLog: [], ...(arrived && { arrived }) },
      har,
      frameImages: [],
    });
    assert.equal(status, 'failed', protocol);
    assert.match(reason ?? '', /of 1000000 bytes arrived$/, protocol);
  }
});

interface CutUpload {
  /** By name. */
  readonly client: string;
  readonly software: ServerSoftware;
  readonly protocols: readonly ('h2' | 'h3')[];
}

/** Kills the server of an upload as soon as some of it has arrived, over each protocol that both speak. */
async function killInItsMidst(
  t: TestContext,
  { client: name, software, protocols }: CutUpload,
): Promise<void> {
  const client = await resolveClient(name, setup);
  // Not every client hears at once that nobody answers any more.
  const workload = { ...(await prepared(t, 'upload-100mb')), deadlineMs: 15_000 };
  for (const protocol of protocols) {
    const about = `${name} ${software.id} ${protocol}`;
    const kill = () => killedTrial(t, { client, software, workload, protocol }, about);
    let killed = await kill();
    // Where this process lost its CPU, all of it had come before the kill.
    for (let tries = 1; tries < 3 && killed?.raw.arrived[0]?.end === 'whole'; tries++) killed = await kill();
    if (killed === null) continue;
    const { raw, har } = killed;
    assert.equal(raw.arrived[0]?.end, 'cut', about);
    const { status, reason = '' } = await deriveTrial({ protocol, workload, raw, har, frameImages: [] });
    assert.equal(status, 'failed', `${about}: ${reason}`);
    const [, bytes] = /(\d+) of 100000000 bytes arrived$/.exec(reason) ?? [];
    assert.ok(Number(bytes) > 0 && Number(bytes) < 100_000_000, `${about}: ${reason}`);
  }
}

interface KilledUpload extends Pick<CutUpload, 'software'> {
  readonly client: Awaited<ReturnType<typeof resolveClient>>;
  readonly workload: PreparedWorkload;
  readonly protocol: 'h2' | 'h3';
}

/** A trial whose server is killed when some of the upload has arrived, with what arrived; null where the server lacks the protocol. */
async function killedTrial(
  t: TestContext,
  { client, software, workload, protocol }: KilledUpload,
  about: string,
) {
  const { spkiHash } = await openCertificateStore({ cache: setup.cache });
  const server = await startOrigin(t, { roots: workload.roots }, software);
  const lacks = protocol === 'h3' ? noH3Reason : noH2Reason;
  const url = new URL(`https://${sinkHostOf(workload)}`);
  const why = await lacks({ url, host: server.address, port: server.port });
  if (why !== null) {
    t.diagnostic(`${about}: ${why}`);
    return null;
  }
  const startedEpochMs = Date.now();
  const lines = async (): Promise<readonly SinkLine[]> => (await server.arrivedSince?.(startedEpochMs)) ?? [];
  const folder = tempFolder(t);
  const order = trialOrder({ folder, client, server, spkiHash, changes: { protocol }, workload });
  const trial = runTrialWorker(order);
  const over = trial.then(
    () => true,
    () => true, // told to its awaiter
  );
  while (((await lines())[0]?.bytes ?? 0) === 0) if (await Promise.race([over, sleep(2, false)])) break;
  assert.ok(await killTree(server.pid), about);
  const { done, har } = await trial;
  await waitUntil('its end is known', limitMs, async () => (await lines())[0]?.end !== undefined);
  return { har, raw: { ...done.raw, serverLog: [], arrived: [...(await lines())] } };
}

const sinkHostOf = ({ upload }: PreparedWorkload): string => upload?.host ?? '';

const both = ['h2', 'h3'] as const;

for (const client of [
  'embedded',
  'firefox',
  ...commandClients.flatMap(({ id, uploads }) => (uploads === true ? id : [])),
])
  test(
    `${client}: an upload whose server is gone in its midst is failed, with the bytes that had arrived`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const { protocols: spoken = both } = await resolveClient(client, setup);
      const protocols = both.filter((protocol) => spoken.includes(protocol));
      await killInItsMidst(t, { client, software: caddy, protocols });
    },
  );

for (const software of present.filter(({ id }) => id !== caddy.id))
  test(`${software.id}: an upload whose server is gone in its midst is failed, with the bytes that had arrived`, async (t) => {
    await killInItsMidst(t, { client: 'embedded', software, protocols: both });
  });

/** An upload over HTTP/2; what is written to it goes up. */
function beginUpload(
  { address, port }: RunningServer,
  host: string,
  lengthBytes: number,
): { readonly session: ClientHttp2Session; readonly stream: ReturnType<ClientHttp2Session['request']> } {
  const session = connectHttp2(`https://${address}:${port}`, { servername: host, rejectUnauthorized: false });
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/upload',
    ':authority': `${host}:${port}`,
    'content-length': lengthBytes,
  });
  stream.on('error', () => undefined);
  return { session, stream };
}

for (const software of present)
  test(`${software.id}: an upload comes whole to the sink behind it, and one that is cut off with what came`, async (t) => {
    const host = 'sink.test';
    const roots = [
      { host: 'a.test', directory: tempFolder(t) },
      { host, directory: tempFolder(t), origin: sinkOrigin(2_000_000) },
    ];
    const server = await startOrigin(t, { roots }, software);
    const body = Buffer.alloc(1_000_000, 'a photo');
    const startedEpochMs = Date.now();
    const whole = beginUpload(server, host, body.length);
    whole.stream.end(body);
    const [headers] = (await once(whole.stream, 'response')) as [Record<string, unknown>];
    assert.equal(headers[':status'], 200);
    const answer = Buffer.concat((await whole.stream.toArray()) as Buffer[]).toString();
    const sha256 = createHash('sha256').update(body).digest('hex');
    assert.deepEqual(JSON.parse(answer), { bytes: body.length, sha256 });
    whole.session.close();
    const cut = beginUpload(server, host, body.length);
    cut.stream.write(body.subarray(0, 100_000));
    const lines = async (): Promise<
      readonly { readonly bytes: number; readonly end?: string | undefined }[]
    > => (await server.arrivedSince?.(startedEpochMs)) ?? [];
    await waitUntil('the second upload has begun', limitMs, async () => (await lines()).length === 2);
    cut.session.destroy();
    await waitUntil('its end is known', limitMs, async () => (await lines())[1]?.end !== undefined);
    const [first, second] = await lines();
    assert.deepEqual([first?.end, first?.bytes], ['whole', body.length]);
    assert.equal(second?.end, 'cut');
    assert.ok(second.bytes <= 100_000, `${second.bytes} bytes`);
  });
