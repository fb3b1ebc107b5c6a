import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tempFolder } from '../support/temp-folder.ts';
import { isOfOwnSchema, qlogRecords, typeOfEvent, typeOfRecord, type QlogRecord } from './qlog-records.ts';
import { cddlIn, readSchema, versionOf } from './qlog-schema.ts';

async function recordsOf(file: string): Promise<QlogRecord[]> {
  const records: QlogRecord[] = [];
  for await (const record of qlogRecords(file)) records.push(record);
  return records;
}

test('a sequence and one text of traces give the same records, packed or not', async (t) => {
  const folder = tempFolder(t);
  const event = { time: 1.5, name: 'transport:packet_sent', data: { header: {} } };
  const sequence = join(folder, 'a.sqlog.gz');
  const head = { qlog_version: '0.3', trace: { vantage_point: { type: 'server' } } };
  const records = [head, event].map((one) => `\u001e${JSON.stringify(one)}\n`).join('');
  // The last was cut short when its writer was ended.
  writeFileSync(sequence, gzipSync(`${records}\u001e{"time":2,"na`));
  const text = join(folder, 'b.qlog');
  writeFileSync(
    text,
    JSON.stringify({ qlog_version: '0.3', traces: [{ title: 'a', events: [event] }] }, null, 1),
  );
  const sent = { name: 'transport:packet_sent', value: { header: {} } };
  assert.deepEqual(await recordsOf(sequence), [{ name: '(file)', value: head }, sent]);
  const whole = { qlog_version: '0.3', traces: [{ title: 'a', events: [] }] };
  assert.deepEqual(await recordsOf(text), [{ name: '(file)', value: whole }, sent]);
});

test('events have the type of their name, whatever their category is called, and files the one of their form', () => {
  const types = new Set([
    'QUICPacketSent',
    'QUICRecoveryMetricsUpdated',
    'QUICMTUUpdated',
    'H3FrameParsed',
    'ConnectivityPathAssigned',
  ]);
  const found = [
    'transport:packet_sent',
    'quic:packet_sent',
    'recovery:metrics_updated',
    'recovery:mtu_updated',
  ];
  assert.deepEqual(
    [...found, 'http3:frame_parsed', 'connectivity:path_assigned', 'transport:frame_parsed'].map((name) =>
      typeOfEvent(name, types),
    ),
    [
      'QUICPacketSent',
      'QUICPacketSent',
      'QUICRecoveryMetricsUpdated',
      'QUICMTUUpdated',
      'H3FrameParsed',
      'ConnectivityPathAssigned',
      undefined,
    ],
  );
  assert.equal(typeOfRecord({ name: '(file)', value: { trace: {} } }, types), 'QlogFileSeq');
  assert.equal(typeOfRecord({ name: '(file)', value: { traces: [] } }, types), 'QlogFile');
});

test('an event of no draft is one of the log’s own where the log names a schema for it that is none of the drafts', () => {
  const head = { trace: { event_schemas: ['urn:ietf:params:qlog:events:quic-13', 'h2h3:qlog:quic-go'] } };
  assert.ok(isOfOwnSchema('quic-go:recovery_spurious_loss', head));
  assert.ok(!isOfOwnSchema('quic:no_such', head));
  assert.ok(!isOfOwnSchema('quic-go:recovery_spurious_loss', { traces: [] }));
});

test('the blocks of CDDL are taken out of a draft, with one kind of number, and a draft that is missing is named', (t) => {
  const draft =
    '# Head\n~~~ cddl\nEvent = {\n    time: float64\n}\n~~~\n{: #event}\n\n~~~~\nno = cddl\n~~~~\n';
  assert.deepEqual(cddlIn(draft), ['Event = {\n    time: float64\n}\n']);
  const folder = tempFolder(t);
  for (const name of ['main-schema', 'quic-events'])
    writeFileSync(join(folder, `draft-ietf-quic-qlog-${name}.md`), draft);
  assert.throws(() => readSchema(folder), /no draft-ietf-quic-qlog-h3-events/);
  writeFileSync(join(folder, 'draft-ietf-quic-qlog-h3-events.md'), draft);
  const { cddl, types } = readSchema(folder);
  assert.deepEqual([...types], ['Event']);
  assert.match(cddl, /time: number/);
});

test('a log is held to the version of the drafts that it names, or to the last that has its names', () => {
  const named = { trace: { event_schemas: ['urn:ietf:params:qlog:events:quic-12'] }, qlog_version: '0.3' };
  assert.equal(versionOf(named, ['transport:packet_sent']), '12');
  assert.equal(versionOf({ qlog_version: '0.3' }, ['transport:packet_sent']), '04');
  assert.equal(versionOf({ qlog_version: '0.3' }, ['quic:packet_sent']), '05');
  assert.equal(versionOf({}, []), undefined);
});
