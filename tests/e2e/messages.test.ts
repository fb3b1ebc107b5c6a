import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goOriginProgram } from '../../harness/servers/go.ts';
import { findBuilt } from '../../harness/tools/built-program.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { projectDir, readRecords, readRunFile, readSummary, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const arms = [
  'h1+transport=websocket',
  'h2+transport=websocket',
  'h3+transport=wt-streams',
  'h3+transport=wt-datagrams',
];
const count = 50;

test('messages come back by every transport, counted alike at both ends and proven by the server’s log', async (t) => {
  const setup = await createSetupContext({ projectDir });
  if (
    (await findBuilt(goOriginProgram, setup)) === undefined &&
    (await findOnPath('go', setup)) === undefined
  )
    return t.skip('the server go must be built, and there is no go here');
  const out = join(tempFolder(t), 'run');
  const words = ['--workload', `messages-100b-30ms-x${count}`, '--server', 'go', '--client', 'embedded'];
  const more = [
    '--network',
    'loopback',
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
  ];
  const { stderr } = await runCli(['run', ...words, ...more, '--arms', arms.join(','), '--out', out]);
  const records = readRecords(out);
  assert.equal(records.length, arms.length, stderr);
  for (const { trialId, arm, status, reason, metrics, factors } of records) {
    assert.equal(status, 'ok', `${arm}: ${reason}`);
    const { session, serverLog } = readEvidence(join(out, 'trials', trialId)).raw;
    assert.ok(session?.kind === 'messages');
    const entry = serverLog?.find(({ messages }) => messages !== undefined);
    assert.equal(entry?.protocol, factors.protocol, arm);
    assert.deepEqual([entry?.messages?.received, entry?.messages?.returned], [count, count], arm);
    assert.equal(session.backMs.filter((ms) => ms !== null).length, count, arm);
    assert.equal(metrics['lostMessages'], 0, arm);
    assert.ok(Number(metrics['messageP50Ms']) > 0 && Number(metrics['messageSetupMs']) > 0, arm);
  }
  const summary = readSummary(out);
  assert.deepEqual(
    summary.messages?.map(({ arm, sent, lost }) => [arm, sent, lost]),
    arms.map((arm) => [arm, count, 0]),
  );
  assert.ok(existsSync(join(out, 'report.html')));
  assert.match(readRunFile(out, 'report.html'), /id="messages"/);
});
