import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { requireRecords } from '../../../../src/app/report/publish.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../../../src/store/run-lock.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a journal of which no record can be read is told from one without records', (t) => {
  const { plan, records } = generateRun();
  const directory = createRunDirectory(path.join(tempFolder(t), 'run'), plan);
  const refusal = (pattern: RegExp) => (thrown: unknown) =>
    thrown instanceof H2h3Error &&
    thrown.code === 'bad-input' &&
    pattern.test(`${thrown.message} ${thrown.next}`);
  assert.throws(() => requireRecords(directory), refusal(/holds no trial record .*--resume/));
  const release = lockRunDirectory(directory.path, process.pid);
  assert.throws(() => requireRecords(directory), refusal(/under way: .* --serve/));
  release();
  const newer = records.map((record) => JSON.stringify({ ...record, schemaVersion: 2 }));
  writeFileSync(path.join(directory.path, 'journal.jsonl'), newer.join('\n'));
  assert.throws(() => requireRecords(directory), refusal(/can be read: .*schemaVersion.* newer h2h3/));
  writeFileSync(
    path.join(directory.path, 'journal.jsonl'),
    [...newer, JSON.stringify(records[0])].join('\n'),
  );
  requireRecords(directory);
});
