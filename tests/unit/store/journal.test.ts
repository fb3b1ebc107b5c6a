import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, truncateSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { appendRecord, readJournal } from '../../../src/store/journal.ts';
import { JournalTail } from '../../../src/store/journal-tail.ts';
import { maxJournalBytes, maxLineBytes } from '../../../src/store/read-lines.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { trialRecord } from '../../support/trial-record.ts';

test('records come back in order as they were appended', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  const records = ['a', 'b', 'c'].map((trialId) => trialRecord({ trialId }));
  records.forEach((record) => appendRecord(file, record));
  assert.deepEqual(readJournal(file), { records, warnings: [] });
});

test('a journal of before has the names that factors have today, and says so in one line', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  for (const trialId of ['a', 'b']) {
    const factors = { protocol: 'h2', beside: 'download' } as const;
    appendRecord(file, trialRecord({ trialId, arm: 'h2+beside=download', factors }));
  }
  const { records, warnings } = readJournal(file);
  const [first] = records;
  assert.deepEqual(first?.factors, { protocol: 'h2', crosstraffic: 'download' });
  assert.equal(first.arm, 'h2+crosstraffic=download');
  assert.deepEqual(new JournalTail(file).read(), records);
  assert.deepEqual(warnings, [
    'Some names are new: beside is now crosstraffic. The old names are still read.',
  ]);
});

test('a missing journal is an empty one', (t) => {
  assert.deepEqual(readJournal(join(tempFolder(t), 'journal.jsonl')), { records: [], warnings: [] });
});

test('a corrupt line is named and costs no other', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  appendRecord(file, trialRecord({ trialId: 'a' }));
  appendFileSync(file, '{"not": "a record"}\n\u0000\u0000garbage\n');
  appendRecord(file, trialRecord({ trialId: 'b' }));
  const { records, warnings } = readJournal(file);
  assert.deepEqual(
    records.map(({ trialId }) => trialId),
    ['a', 'b'],
  );
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? '', /journal\.jsonl:2: not a trial record/);
  assert.match(warnings[1] ?? '', /journal\.jsonl:3: not a whole line of JSON/);
});

test('a journal cut at any byte loses at most the record that was being written', (t) => {
  const folder = tempFolder(t);
  const whole = join(folder, 'whole.jsonl');
  ['a', 'b', 'c'].forEach((trialId) => appendRecord(whole, trialRecord({ trialId })));
  const bytes = readFileSync(whole);
  const cut = join(folder, 'cut.jsonl');
  for (let size = 0; size <= bytes.length; size += 7) {
    writeFileSync(cut, bytes.subarray(0, size));
    const before = readJournal(cut).records.length;
    appendRecord(cut, trialRecord({ trialId: 'after' }));
    const ids = readJournal(cut).records.map(({ trialId }) => trialId);
    assert.deepEqual(ids, [...['a', 'b', 'c'].slice(0, before), 'after'], `cut at byte ${size}`);
  }
});

test('a journal that is longer than any is refused by all who read it, without being read', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  appendRecord(file, trialRecord({ trialId: 'a' }));
  // Of holes, which take no place on the disk.
  truncateSync(file, 1e12);
  const tooLong = {
    code: 'bad-input',
    message: `${file} is no journal: it has more than ${maxJournalBytes} bytes, as no run writes`,
  };
  assert.throws(() => readJournal(file), tooLong);
  assert.throws(() => new JournalTail(file).read(), tooLong);
});

test('a line that is longer than any record is left out, and costs no other', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  appendRecord(file, trialRecord({ trialId: 'a' }));
  truncateSync(file, statSync(file).size + maxLineBytes + 1);
  appendRecord(file, trialRecord({ trialId: 'b' }));
  const { records, warnings } = readJournal(file);
  assert.deepEqual(
    records.map(({ trialId }) => trialId),
    ['a', 'b'],
  );
  assert.deepEqual(warnings, [`${file}:2: far too long for a record; the line is left out`]);
  assert.deepEqual(
    new JournalTail(file).read().map(({ trialId }) => trialId),
    ['a', 'b'],
  );
});

test('of a trial that stands twice the first counts and the second is named', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  appendRecord(file, trialRecord({ metrics: { pltMs: 1 } }));
  appendRecord(file, trialRecord({ metrics: { pltMs: 2 } }));
  const { records, warnings } = readJournal(file);
  assert.deepEqual(
    records.map(({ metrics }) => metrics['pltMs']),
    [1],
  );
  assert.match(warnings[0] ?? '', /stands twice/);
});

test('a cut last line does not hide the one appended after it', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  appendRecord(file, trialRecord({ trialId: 'a' }));
  truncateSync(file, statSync(file).size - 5);
  appendRecord(file, trialRecord({ trialId: 'b' }));
  assert.deepEqual(
    readJournal(file).records.map(({ trialId }) => trialId),
    ['b'],
  );
});

test(
  'a full disk is said in words',
  { skip: process.platform === 'linux' ? false : '/dev/full is Linux only' },
  () => {
    assert.throws(
      () => appendRecord('/dev/full', trialRecord()),
      (thrown) =>
        thrown instanceof H2h3Error && thrown.code === 'storage' && /the disk is full/.test(thrown.message),
    );
  },
);
