import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEvidence } from '../../src/store/evidence.ts';
import { skipsWithout } from '../support/clients-here.ts';
import {
  processesWith,
  readPlan,
  readRecords,
  readRunFile,
  readSummary,
  runCli,
  runCliHere,
  startCli,
} from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Whether the kernel can be asked what a server's connections run (`ss` of iproute2). */
const asksKernel = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].some((folder) =>
  existsSync(join(folder, 'ss')),
);

test('two servers by two clients: every trial is proven, says what was set, and the report names what differs', async (t) => {
  const out = join(tempFolder(t), 'run');
  const arms = ['curl:h2+server=caddy', 'curl:h2+server=nginx', 'curl:h3+server=nginx+cipher=chacha20'];
  const flagged = [
    'embedded:h2+server=caddy+flags=--enable-features=A,B',
    'embedded:h2+server=caddy+cpus=1',
    'embedded:h2+server=caddy+cpus=all',
  ].flatMap((arm) => ['--arm', arm]);
  const { stderr, stdout } = await runCli([
    'run',
    '--workload',
    'download-100kb',
    '--arms',
    arms.join(','),
    ...flagged,
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.equal(records.length, 6, stderr);
  const nginxLacks =
    records.find(({ server, client }) => server === 'nginx' && client === 'curl')?.reason ?? '';
  if (/nginx.* (?:is not|cannot be had)/i.test(nginxLacks)) t.diagnostic(nginxLacks);
  for (const { trialId, status, reason, factors, metrics, warnings } of records) {
    // The curl of this machine may be built without HTTP/3: then that, and nothing else, is said.
    if (factors.protocol === 'h3' && status === 'unsupported') {
      assert.match(reason ?? '', /curl .* speaks no HTTP\/3/);
      continue;
    }
    assert.equal(status, 'ok', `${JSON.stringify(factors)}: ${reason}`);
    const { raw, har } = readEvidence(join(out, 'trials', trialId));
    assert.equal(raw.testbed?.server.id, factors.server);
    if (asksKernel)
      assert.match(raw.testbed?.server.tcpCongestionControlNote ?? '', /read back from a connection|perl/);
    assert.ok(raw.serverLog?.every(({ protocol }) => protocol === factors.protocol));
    // A CPU for itself, or every one that there is.
    if (factors['cpus'] !== undefined)
      assert.match(raw.clientCpus?.had ?? '', factors['cpus'] === '1' ? /^0$/ : /^0-\d+$/);
    if (factors.cipher !== undefined) {
      assert.equal(raw.testbed?.server.cipher, 'TLS_CHACHA20_POLY1305_SHA256');
      assert.ok(
        raw.serverLog?.every(({ cipher }) => cipher === raw.testbed?.server.cipher),
        'over QUIC too',
      );
    }
    const entries = har?.log.entries ?? [];
    assert.ok(
      entries.length > 0 && entries.every(({ response }) => response.httpVersion === factors.protocol),
    );
    // Fetching 100 KB takes curl less than the hundredth of a second that the operating system counts in.
    const cpuSeconds = metrics['cpuSecondsByProcess'] as Record<string, number>;
    assert.ok(
      (cpuSeconds['network'] ?? 0) > 0 || warnings.some((text) => /too little to be counted/.test(text)),
      `${JSON.stringify(cpuSeconds)}, ${warnings.join('; ')}`,
    );
  }
  const summary = readSummary(out);
  const [first] = summary.comparisons;
  assert.deepEqual([first?.client, first?.server], ['by-arm', 'by-arm']);
  assert.equal(first?.candidate.factors?.server, 'nginx');
  assert.match(
    stdout.replace(/\s+/g, ' '),
    /not decided 100 KB download \(HTTP\/2 in curl from nginx against HTTP\/2 in curl from Caddy\)/,
  );
});

test('offloads, packet size, buffers and a share of the CPU are set, read back, and felt', async (t) => {
  if (await skipsWithout(t, 'curl')) return;
  const lacking = await namespaceLack('ethtool');
  if (lacking !== null) return t.skip(lacking);
  const out = join(tempFolder(t), 'run');
  const sharePercent = 5;
  const small = 'h2+offloads=off+mtu=1400+tcpbuffers=64kb+slowstartafteridle=off';
  const arms = ['h2+offloads=on', small, `h2+offloads=on+cpu=${sharePercent}%`];
  const { code, stderr } = await runCli([
    'run',
    '--workload',
    'download-30mb',
    '--client',
    'curl',
    '--network',
    'ethernet-1g',
    '--arms',
    arms.join(','),
    '--probe',
    'har',
    '--probe',
    'cpu',
    '--probe',
    'packets,kernel',
    '--repetitions',
    '1',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  if (code === 3 && /no control group/.test(stderr)) return t.skip(stderr);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  // What the kernel did is recorded in recorded trials.
  const records = readRecords(out).filter(({ instrumentation }) => instrumentation === 'instrumented');
  assert.equal(records.length, arms.length, stderr);
  for (const { arm, trialId, status, reason, warnings, counters = {} } of records) {
    // What was set is read back of a trial, too, whose path the machine delayed.
    assert.ok(status === 'ok' || machineWasLate(reason), `${arm}: ${reason}`);
    const unable = warnings.find((line) => line.startsWith('the probe kernel recorded nothing'));
    // What a namespace hides of the kernel from perf is our doing, its absence and its rights are not.
    if (unable === undefined)
      assert.ok((counters['netifReceiveSkbCalls'] ?? 0) > 10, JSON.stringify(counters));
    else assert.match(unable.split('. Install')[0] ?? '', /there is no perf|limited|denied|not permitted/i);
    const { raw } = readEvidence(join(out, 'trials', trialId));
    const [link] = raw.testbed?.links ?? [];
    const states = Object.values(link?.offloads ?? {});
    assert.ok(states.length === 4 && states.every((state) => state === (arm !== small)), arm);
    const read = [link?.mtuBytes, link?.tcpBufferBytes, link?.slowStartAfterIdle];
    assert.deepEqual(read, arm === small ? [1400, 65_536, 'off'] : [1500, 32 * 1024 * 1024, 'on'], arm);
    const { interfaceBytesReceived = 0, interfaceUnitsReceived = 0 } = raw.counters;
    const unitBytes = interfaceBytesReceived / interfaceUnitsReceived;
    // With the link header.
    assert.ok(arm === small ? unitBytes <= 1414 : unitBytes > 2 * 1514, `${arm}: ${unitBytes}`);
    assert.equal(raw.cpuShare !== undefined, arm.includes('cpu='), arm);
    if (raw.cpuShare === undefined) continue;
    const { quotaMs, periodMs, processes, throttledMs } = raw.cpuShare;
    assert.equal((100 * quotaMs) / periodMs, sharePercent);
    assert.ok(processes >= 1 && throttledMs > 0, JSON.stringify(raw.cpuShare));
    const cpuSeconds = (raw.cpu ?? []).reduce(
      (sum, { userSeconds, systemSeconds }) => sum + userSeconds + systemSeconds,
      0,
    );
    // CPU time is counted in hundredths of a second.
    const maxSeconds = (sharePercent / 100) * (raw.measuredMs / 1000) + 0.03;
    assert.ok(cpuSeconds > 0 && cpuSeconds <= maxSeconds, `${cpuSeconds} s of CPU, at most ${maxSeconds}`);
  }
});

test('a run of servers and flags in a browser, killed in its midst, goes on to the same trials', async (t) => {
  const out = join(tempFolder(t), 'run');
  const arms = ['h2+server=caddy', 'h2+server=nginx', 'h2+server=caddy+flags=--enable-features=A,B'];
  const cli = startCli([
    'run',
    '--workload',
    'download-100kb',
    '--client',
    'embedded',
    '--repetitions',
    '2',
    ...arms.flatMap((arm) => ['--arm', arm]),
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  await cli.said(/\[2\/6\]/);
  const { pid } = cli.child;
  cli.child.kill('SIGKILL');
  await cli.result;
  await waitUntil('all of it is gone', goneLimitMs, () => processesWith(`H2H3_RUN_ID=${pid}-`).length === 0);
  const before = readRunFile(out, 'journal.jsonl');
  const { code, stderr } = await runCli(['run', '--resume', out]);
  assert.equal(code, 0, stderr);
  const records = readRecords(out);
  assert.ok(readRunFile(out, 'journal.jsonl').startsWith(before));
  assert.deepEqual(
    records.map(({ trialId, factors }) => [trialId, factors]),
    readPlan(out).trials.map(({ trialId, factors }) => [trialId, factors]),
    'the same trials with the same factors, none twice, none lost',
  );
  for (const { arm, status, reason, server } of records)
    assert.ok(status === 'ok' || (status === 'unsupported' && server === 'nginx'), `${arm}: ${reason}`);
});

test('an address or a port is lost, a session resumed, a connection has competing flows: each is told, and proven from the server’s log', async (t) => {
  if (await skipsWithout(t, 'quic-go')) return;
  const out = join(tempFolder(t), 'run');
  const lost = [
    'h2+migration=2mb',
    'h2+migration=2mb-restart',
    'h3+migration=2mb',
    'h3+migration=2mb-rebind',
  ];
  const resumed = ['h2+resume=session', 'h3+resume=session', 'h3+resume=0rtt'];
  const begunAgain = ['curl:h2+migration=2mb', 'wget2:h2+migration=2mb-restart', 'quiche:h3+migration=2mb'];
  const resumedByOthers = ['curl:h2+resume=session', 'quiche:h3+resume=0rtt', 'embedded:h3+resume=session'];
  const others = [
    'h2+competingflows=2',
    'h3+competingflows=1',
    'h3+competingflows=1@quic',
    'h2+competingflows=1@quic',
    'h2+tls=1.2',
  ];
  const { stderr } = await runCli([
    'run',
    '--workload',
    'download-10mb',
    '--client',
    'quic-go',
    '--arms',
    [...lost, ...begunAgain, ...resumed, ...resumedByOthers, ...others].join(','),
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.equal(records.length, 18, stderr);
  if (records.every(({ status }) => status === 'unsupported')) return t.skip(records[0]?.reason);
  for (const { trialId, arm, client, status, reason, metrics } of records) {
    // Building quiche takes longer than a test may; the others come from Debian.
    if (status === 'unsupported' && ['curl', 'wget2', 'quiche'].includes(client)) {
      t.diagnostic(`${arm}: ${reason}`);
      continue;
    }
    assert.equal(status, 'ok', `${arm}: ${reason}`);
    const { raw } = readEvidence(join(out, 'trials', trialId));
    assert.ok(raw.session?.kind === 'download');
    const [stream] = raw.session.streams;
    assert.equal((stream?.bytes ?? 0) + (stream?.handover?.keptBytes ?? 0), 10_000_000, arm);
    if (arm.includes('migration')) {
      assert.ok(Number(metrics['recoveryMs']) > 0, arm);
      assert.equal(stream?.handover?.keptBytes, arm.endsWith('h2+migration=2mb') ? 2_000_000 : 0, arm);
    } else if (arm.includes('resume')) {
      assert.ok(Number(metrics['resumedTtfbMs']) > 0, arm);
      const { resumed: again, earlyData } = stream?.resumption ?? {};
      assert.deepEqual([again, earlyData], [true, arm.endsWith('0rtt')], arm);
    } else if (arm.includes('competingflows')) {
      const { flows = [], requests } = raw.session.contest ?? {};
      assert.deepEqual(
        flows.map(({ protocol }) => protocol),
        arm.endsWith('=2') ? ['h2', 'h2', 'h2'] : [arm.slice(0, 2), arm.endsWith('@quic') ? 'h3' : 'h2'],
      );
      assert.ok((requests ?? []).length >= flows.length - 1, arm);
      assert.ok(Number(metrics['fairnessIndex']) > 0 && Number(metrics['fairShare']) > 0, arm);
    } else assert.equal(raw.testbed?.server.tls, '1.2', arm);
  }
});

test('early data saves a round trip, also where the body is larger than three times what the client has sent', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  if (await skipsWithout(t, 'quic-go')) return;
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const file = join(folder, 'plan.json');
  // Much longer than a process may be late that has lost its CPU.
  const roundTripMs = 200;
  const way = { rateMbps: 100, queueBytes: 2_500_000, delayMs: roundTripMs / 2 };
  const network = { networks: ['far'], customNetworks: { far: { up: way, down: way } } };
  const what = { workloads: ['download-10kb'], clients: ['quic-go'], ...network };
  // Over loopback a browser that gets no CPU may have the server's answer before it sends its request.
  const arms = ['h3+resume=session', 'h3+resume=0rtt', 'embedded:h3+resume=0rtt'];
  const blocks = { repetitions: 3, recordedBlocks: 0, quickStart: true, exploratory: true };
  writeFileSync(file, JSON.stringify({ ...what, arms, ...blocks }));
  const { stderr } = await runCli(['run', file, '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out).filter(({ status, reason }) => status === 'ok' || !machineWasLate(reason));
  assert.ok(
    records.every(({ status }) => status === 'ok'),
    stderr,
  );
  for (const { trialId, arm } of records.filter(({ client }) => client === 'embedded')) {
    const { session } = readEvidence(join(out, 'trials', trialId)).raw;
    assert.ok(session?.kind === 'download');
    const { resumed, earlyData } = session.streams[0]?.resumption ?? {};
    assert.deepEqual([resumed, earlyData], [true, true], arm);
  }
  const ofProgram = records.filter(({ client }) => client === 'quic-go');
  const minOf = (resumed: string): number =>
    Math.min(
      ...ofProgram.flatMap(({ arm, metrics }) =>
        arm.endsWith(resumed) ? Number(metrics['resumedTtfbMs']) : [],
      ),
    );
  if (ofProgram.length < 4) return t.skip('the machine was late in most trials');
  const savedMs = minOf('session') - minOf('0rtt');
  assert.ok(savedMs > 0.7 * roundTripMs, `${minOf('session')} and ${minOf('0rtt')} ms`);
});

test('where UDP is blocked HTTP/3 gets nothing and HTTP/2 all, and afterwards it is open again', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  if (process.getuid?.() !== 0) return t.skip('blocking UDP wants root');
  if (await skipsWithout(t, 'quic-go')) return;
  const out = join(tempFolder(t), 'run');
  const { stderr } = await runCli([
    'run',
    '--workload',
    'download-100kb',
    '--client',
    'quic-go',
    '--network',
    'cable',
    '--arms',
    'h2+udp=blocked,h3+udp=open,h3+udp=blocked',
    '--quick-start',
    '--repetitions',
    '1',
    // This one has the open trial last.
    '--seed',
    '6',
    '--exploratory',
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.deepEqual(
    records.map(({ arm }) => arm),
    ['h3+udp=blocked', 'h2+udp=blocked', 'h3+udp=open'],
    stderr,
  );
  const reasons = records.map(({ reason = '' }) => reason);
  const unusable = reasons.find((reason) => /is not what it says|cannot be blocked/.test(reason));
  if (unusable !== undefined) return t.skip(unusable);
  for (const { trialId, arm, status, reason } of records) {
    if (arm === 'h3+udp=blocked') assert.equal(status, 'failed', `${arm}: ${reason}`);
    // A busy machine may have lost packets of its own: the trial is invalid then, and yet all came.
    else assert.ok(['ok', 'invalid'].includes(status), `${arm}: ${reason}`);
    const { raw } = readEvidence(join(out, 'trials', trialId));
    assert.equal(raw.udp, arm.endsWith('blocked') ? 'blocked' : 'open', arm);
  }
});

test('a factor that cannot be is refused before anything is made', async (t) => {
  const out = join(tempFolder(t), 'run');
  const words = [
    'run',
    '--workload',
    'download-100kb',
    '--client',
    'embedded',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ];
  const { code, stderr } = await runCliHere([...words, '--arm', 'h2', '--arm', 'h2+mtu=1400']);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /arm "h2\+mtu=1400" sets mtu=1400, which the network loopback cannot have/);
  assert.equal(existsSync(out), false);
});
