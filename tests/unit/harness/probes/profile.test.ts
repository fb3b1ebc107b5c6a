import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { networkingStageOf } from '../../../../harness/probes/networking-stages.ts';
import { startPerf } from '../../../../harness/probes/perf-control.ts';
import { parsePerfReport } from '../../../../harness/probes/perf-report.ts';
import { stageCounters } from '../../../../harness/probes/profile.ts';
import { readFolded, writeFolded } from '../../../../src/core/model/folded-stack.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const report = [
  '# Samples: 12  of event cpu-clock',
  '#',
  ' 9          \t   7898:quic-go-client\t[kernel.kallsyms]    \t[k] udp_recvmsg',
  '6 main.main\tquic-go.(*oobConn).ReadPacket\tentry_SYSCALL_64_after_hwframe\tudp_recvmsg',
  '3 0x7f10\tentry_SYSCALL_64_after_hwframe\tudp_recvmsg',
  '',
  ' 2          \t   7839:curl          \tlibcrypto.so.3       \t[.] BIO_ADDR_clear',
  '2 0xd593e2f8237eeaa9\t0x5dc\tBIO_ADDR_clear',
  ' 4          \t   41:NetworkService\tchromium\t[.] 0x0000000009c8e329',
  '4 0x0000000009c8e329',
].join('\n');

test('what perf folded is read with thread, file and stack', () => {
  const stacks = parsePerfReport(report);
  assert.deepEqual(
    stacks.map(({ thread, file, samples, frames }) => [thread, file, samples, frames.length]),
    [
      [7898, '[kernel.kallsyms]', 6, 4],
      [7898, '[kernel.kallsyms]', 3, 3],
      [7839, 'libcrypto.so.3', 2, 3],
      [41, 'chromium', 4, 1],
    ],
  );
});

test('time of a networking process is divided by stage, and what has no symbols is not guessed', () => {
  const counters = stageCounters(parsePerfReport(report));
  const whole = Object.values(counters).reduce((sum, ms) => sum + ms, 0);
  assert.ok(Math.abs(whole - (15 * 1000) / 499) < 1e-9);
  const share = (name: string): number => Math.round((15 * (counters[name] ?? 0)) / whole);
  assert.deepEqual(
    ['networkingCpuSocketReadMs', 'networkingCpuDecryptionMs', 'networkingCpuNotSeparableMs'].map(share),
    [9, 2, 4],
  );
  assert.deepEqual(stageCounters([]), {}, 'a process without samples has no stages');
});

test('frames of the kinds of clients belong to the stage that the innermost telling one names', () => {
  const stageOf = (file: string, ...frames: string[]): string =>
    networkingStageOf({ thread: 1, command: 'x', samples: 1, file, frames });
  const kernel = '[kernel.kallsyms]';
  assert.equal(
    stageOf('quic', 'quic-go.(*Conn).handlePackets', 'crypto/aes/gcm.gcmAesDec.abi0'),
    'decryption',
  );
  assert.equal(stageOf('quic', 'quic-go.(*Conn).sendPackets', 'runtime.memmove'), 'acknowledgements');
  assert.equal(stageOf('quiche', 'quiche::frame::Frame::from_bytes'), 'framing');
  assert.equal(stageOf('quiche', 'alloc::raw_vec::grow'), 'rest');
  assert.equal(stageOf(kernel, '0x1', 'entry_SYSCALL_64_after_hwframe', '__x64_sys_poll'), 'rest');
  assert.equal(
    stageOf(kernel, 'do_syscall_64', '__sys_sendmmsg', 'udp_sendmsg', 'kfree'),
    'acknowledgements',
  );
  assert.equal(
    stageOf('libssl.so.3', '0x1', 'ERR_set_mark@plt'),
    'notSeparable',
    'the nearest exported name',
  );
});

test('folded stacks are read back as they were written, without a line that was cut short', () => {
  const stacks = [{ frames: ['network', 'a;b', 'recv from'], samples: 3 }];
  assert.deepEqual(readFolded(`${writeFolded(stacks)}network;a`), [
    { frames: ['network', 'a:b', 'recv from'], samples: 3 },
  ]);
});

test('a machine without perf, and a perf that may not record, say so with what would help', async (t) => {
  await assert.rejects(startPerf(['stat'], '/nowhere/perf'), {
    code: 'unsupported',
    message: /there is no perf/,
    next: /Install perf/,
  });
  const denied = join(tempFolder(t), 'perf');
  writeFileSync(
    denied,
    '#!/bin/sh\necho "Error:\nAccess to performance monitoring is limited.\nConsider this.\nAnd that." >&2\nexit 255\n',
    {
      mode: 0o755,
    },
  );
  await assert.rejects(startPerf(['stat'], denied), {
    code: 'unsupported',
    message: /monitoring is limited/,
  });
});

test('without privileges, as in most containers, perf says in one sentence that it may not count', async (t) => {
  const lacking = ['perf', 'setpriv'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (lacking.length > 0) return t.skip(`there is no ${lacking.join(' and no ')}`);
  const paranoid = Number(readFileSync('/proc/sys/kernel/perf_event_paranoid', 'utf8'));
  if (paranoid < 0) return t.skip('this kernel lets everybody count (kernel.perf_event_paranoid = -1)');
  const bare = join(tempFolder(t), 'perf');
  // For everybody but root this is how things are.
  const drop = process.getuid?.() === 0 ? 'setpriv --bounding-set=-all --inh-caps=-all --' : '';
  writeFileSync(bare, `#!/bin/sh\nexec ${drop} perf "$@"\n`, { mode: 0o755 });
  await assert.rejects(startPerf(['stat', '-a', '-e', 'net:netif_receive_skb'], bare), {
    code: 'unsupported',
    message: /^perf cannot record here: \S[^\n]{10,400}$/,
    next: /Install perf .*perf_event_paranoid/,
  });
});
