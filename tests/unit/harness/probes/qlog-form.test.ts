import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ProbeContext } from '../../../../harness/probes/probe.ts';
import { qlog, readQlog } from '../../../../harness/probes/qlog.ts';
import { inDraftsForm } from '../../../../harness/probes/qlog-form.ts';
import { cleanerOfAccess } from '../../../../harness/trial/har-without-secrets.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

type Fields = Record<string, unknown>;

const rs = '\u001e';

async function keptOf(lines: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for await (const line of inDraftsForm(Readable.from(lines), (value) => value)) kept.push(line);
  return kept;
}

/** What comes of records that stand behind the head of a log of quic-go. */
async function mendedOf(...events: readonly string[]): Promise<Fields[]> {
  const kept = await keptOf([head, ...events.map((event) => rs + event)]);
  return kept.slice(1).map((line) => JSON.parse(line.replace(rs, '')) as Fields);
}

/** Lines that Caddy 2.11.7 (quic-go 0.63) wrote while the client quic-go fetched 1 MB, shortened. */
const head = `${rs}{"file_schema":"urn:ietf:params:qlog:file:sequential","serialization_format":"application/qlog+json-seq","title":"quic-go qlog","code_version":"v0.63.0","trace":{"event_schemas":["urn:ietf:params:qlog:events:quic-12","urn:ietf:params:qlog:events:http3-12"],"vantage_point":{"type":"server"},"common_fields":{"group_id":"99ebde56","reference_time":{"clock_type":"monotonic","epoch":"unknown","wall_clock_time":"2026-11-23T01:54:57.261817614Z"}}},"qlog_format":"JSON-SEQ","qlog_version":"0.3"}`;
const written = [
  '{"time":0.144285,"name":"recovery:congestion_state_updated","data":{"new":"slow_start"}}',
  '{"time":0.409969,"name":"transport:version_information","data":{"server_versions":["1","6b3343cf"],"chosen_version":"1"}}',
  '{"time":0.428617,"name":"transport:packet_received","data":{"header":{"packet_type":"initial","packet_number":0,"version":"1","scil":4,"scid":"839dd697","dcil":4,"dcid":"99ebde56"},"raw":{"length":1280,"payload_length":1248},"datagram_payload_checksum":2968898072,"frames":[{"frame_type":"crypto","offset":75,"length":1154}]}}',
  '{"time":1.258809,"name":"transport:packet_sent","data":{"header":{"packet_type":"1RTT","packet_number":0,"version":"1","dcil":4,"dcid":"839dd697","key_phase_bit":"0"},"raw":{"length":95,"payload_length":88},"frames":[{"frame_type":"new_connection_id","sequence_number":1,"retire_prior_to":0,"length":4,"connection_id":"635fe50f","stateless_reset_token":"0aa6373e1bc961e70dc8d13364dc9881"},{"frame_type":"stream","stream_id":3,"offset":0,"length":10}],"ecn":"ECT(0)"}}',
  '{"time":1.26,"name":"recovery:metrics_updated","data":{"smoothed_rtt":12.5,"congestion_window":38400,"bytes_in_flight":95}}',
  '{"time":1.476342,"name":"http3:frame_created","data":{"stream_id":3,"raw":{"length":10},"frame":{"frame_type":"settings","settings":[{"name":"settings_max_field_section_size","value":16384},{"name":"settings_enable_connect_protocol","value":true}]}}}',
  '{"time":15.413995,"name":"transport:alpn_information","data":{"chosen_alpn":"h3"}}',
  '{"time":16.17133,"name":"http3:frame_parsed","data":{"stream_id":0,"raw":{"length":54,"payload_length":52},"frame":{"frame_type":"headers","header_fields":[{"name":":method","value":"GET"}]}}}',
  '{"time":20,"name":"recovery:packet_lost","data":{"header":{"packet_type":"1RTT","packet_number":0,"dcil":0},"trigger":"reordering_threshold"}}',
  '{"time":30,"name":"transport:packet_received","data":{"header":{"packet_type":"1RTT","packet_number":143,"dcil":4,"dcid":"635fe50f","key_phase_bit":"1"},"raw":{"length":26},"frames":[{"frame_type":"ack","acked_ranges":[[0]]}],"ecn":"ECT(0)"}}',
  '{"time":112.052344,"name":"recovery:mtu_updated","data":{"mtu":1326,"done":false}}',
  '{"time":112.143369,"name":"recovery:loss_timer_updated","data":{"event_type":"cancelled","timer_type":"","packet_number_space":"unknown encryption level"}}',
  '{"time":113.1,"name":"recovery:loss_timer_updated","data":{"event_type":"set","timer_type":"pto","packet_number_space":"application_data","delta":199.75}}',
];

/** What the drafts demand of each event (quic-events-13, sections 4 to 7; h3-events-13, section 3). */
const required: Readonly<Record<string, readonly string[]>> = {
  'quic:congestion_state_updated': ['new'],
  'quic:version_information': [],
  'quic:packet_received': ['header'],
  'quic:packet_sent': ['header'],
  'quic:recovery_metrics_updated': [],
  'quic:alpn_information': [],
  'quic:packet_lost': [],
  'quic:mtu_updated': ['new'],
  'quic:timer_updated': ['event_type'],
  'http3:frame_created': ['stream_id', 'frame'],
  'http3:frame_parsed': ['stream_id', 'frame'],
};

test('events of quic-go get the names of the drafts and have what these demand', async () => {
  const mended = await mendedOf(...written);
  assert.equal(mended.length, written.length);
  for (const { time, name, data } of mended) {
    assert.equal(typeof time, 'number');
    const demanded = required[String(name)] ?? assert.fail(`the drafts have no ${String(name)}`);
    for (const field of demanded) assert.ok(field in (data as Fields), `${String(name)} has ${field}`);
  }
});

test('versions, key phases, lengths of frames, settings and identifiers of protocols get the form of the drafts', async () => {
  const [, versions, initial, sent, , settings, alpn, headers, , , mtu] = await mendedOf(...written);
  assert.deepEqual(versions?.['data'], {
    server_versions: ['00000001', '6b3343cf'],
    chosen_version: '00000001',
  });
  assert.deepEqual(initial?.['data'], {
    header: {
      packet_type: 'initial',
      packet_number: 0,
      version: '00000001',
      scil: 4,
      scid: '839dd697',
      dcil: 4,
      dcid: '99ebde56',
    },
    raw: { length: 1280, payload_length: 1248 },
    frames: [{ frame_type: 'crypto', offset: 75, raw: { length: 1154 } }],
  });
  const { header, frames } = sent?.['data'] as { header: Fields; frames: Fields[] };
  assert.equal(header['key_phase_bit'], false);
  assert.deepEqual(frames, [
    {
      frame_type: 'new_connection_id',
      sequence_number: 1,
      retire_prior_to: 0,
      connection_id_length: 4,
      connection_id: '635fe50f',
      stateless_reset_token: '0aa6373e1bc961e70dc8d13364dc9881',
    },
    { frame_type: 'stream', stream_id: 3, offset: 0, raw: { length: 10 } },
  ]);
  assert.deepEqual(settings?.['data'], {
    stream_id: 3,
    frame: {
      frame_type: 'settings',
      settings: [
        { name: 'settings_max_field_section_size', value: 16_384 },
        { name: 'settings_enable_connect_protocol', value: 1 },
      ],
      raw: { length: 10 },
    },
  });
  assert.deepEqual(alpn?.['data'], { chosen_alpn: { string_value: 'h3' } });
  assert.deepEqual((headers?.['data'] as { frame: Fields }).frame, {
    frame_type: 'headers',
    headers: [{ name: ':method', value: 'GET' }],
    raw: { length: 54, payload_length: 52 },
  });
  assert.deepEqual(mtu?.['data'], { new: 1326, done: false });
});

test('what the drafts have no field for stands beside the data under its own name', async () => {
  const [, , initial, sent, , , , , , , , cancelled, set] = await mendedOf(...written);
  assert.deepEqual(initial?.['as_written'], { datagram_payload_checksum: 2_968_898_072 });
  assert.deepEqual(sent?.['as_written'], { ecn: 'ECT(0)' });
  assert.deepEqual(cancelled?.['data'], { event_type: 'cancelled' });
  assert.deepEqual(cancelled['as_written'], {
    timer_type: '',
    packet_number_space: 'unknown encryption level',
  });
  assert.ok(set !== undefined && !('as_written' in set));
  const [dropped, frequency, limited, restored] = await mendedOf(
    '{"time":1,"name":"transport:packet_dropped","data":{"header":{"packet_type":"","dcil":0},"raw":{"length":30},"trigger":"dos_prevention"}}',
    '{"time":2,"name":"transport:packet_received","data":{"header":{"packet_type":"1RTT"},"frames":[{"frame_type":"ping"},{"frame_type":"ack_frequency","sequence_number":4}]}}',
    '{"time":3,"name":"recovery:ecn_state_updated","data":{"new":"failed","trigger":"no marks"}}',
    '{"time":4,"name":"transport:parameters_restored","data":{"initial_max_data":786432,"max_ack_delay":26}}',
  );
  assert.deepEqual(dropped?.['data'], {
    header: { packet_type: 'unknown', dcil: 0 },
    raw: { length: 30 },
    trigger: 'rejected',
  });
  assert.deepEqual(dropped['as_written'], { trigger: 'dos_prevention' });
  assert.deepEqual((frequency?.['data'] as Fields)['frames'], [
    { frame_type: 'ping' },
    { frame_type: 'unknown', frame_type_bytes: 0xaf },
  ]);
  assert.deepEqual(frequency?.['as_written'], {
    frames: { 1: { frame_type: 'ack_frequency', sequence_number: 4 } },
  });
  assert.deepEqual(limited?.['as_written'], { trigger: 'no marks' });
  assert.deepEqual(restored?.['data'], { initial_max_data: 786_432 });
  assert.deepEqual(restored['as_written'], { max_ack_delay: 26 });
});

test('errors have a name or a number, and identifiers without bytes no digits', async () => {
  const frame = (text: string): string =>
    `{"time":1,"name":"transport:packet_sent","data":{"header":{"packet_type":"1RTT"},"frames":[{${text}}]}}`;
  const close = '"frame_type":"connection_close","reason":"","error_space"';
  const packets = await mendedOf(
    frame(`${close}:"application","error_code":"no_error","raw_error_code":0`),
    frame(`${close}:"transport","error_code":"no_error","raw_error_code":0`),
    frame(`${close}:"transport","error_code":296,"raw_error_code":296`),
    frame('"frame_type":"reset_stream","stream_id":4,"error_code":268,"final_size":9'),
    '{"time":2,"name":"transport:parameters_set","data":{"initiator":"remote","initial_source_connection_id":"(empty)"}}',
  );
  const [application, transport, alert, reset] = packets.map(
    ({ data }) => (data as { frames?: Fields[] }).frames?.[0],
  );
  const closed = { frame_type: 'connection_close', reason: '' };
  assert.deepEqual(application, { ...closed, error_space: 'application', error: 'unknown', error_code: 0 });
  assert.deepEqual(transport, { ...closed, error_space: 'transport', error: 'no_error' });
  assert.deepEqual(alert, { ...closed, error_space: 'transport', error: 'crypto_error_0x128' });
  assert.deepEqual(reset, {
    frame_type: 'reset_stream',
    stream_id: 4,
    error: 'unknown',
    error_code: 268,
    final_size: 9,
  });
  assert.deepEqual(packets[4]?.['data'], { initiator: 'remote', initial_source_connection_id: '' });
});

test('the head says that the log was brought into form, from what, and keeps what it said', async () => {
  const [kept = ''] = await keptOf([head]);
  // Readers find the two behind the record separator within the first 256 characters (main-schema-14, section 3).
  assert.match(kept, /^\u001e\{"file_schema":"urn:ietf:params:qlog:file:sequential","serialization_format":/);
  const { description, trace, ...more } = JSON.parse(kept.slice(1)) as Fields & { trace: Fields };
  assert.match(
    String(description),
    /Written by quic-go, brought by h2h3 into the form of .*quic-events-13.*as_written/,
  );
  assert.deepEqual(Object.keys(more), ['file_schema', 'serialization_format', 'title']);
  const [quic, http] = ['quic', 'http3'].map((name) => `urn:ietf:params:qlog:events:${name}`);
  assert.deepEqual(trace['event_schemas'], [`${quic}-13`, `${http}-13`, 'h2h3:qlog:quic-go']);
  const common = trace['common_fields'] as Fields;
  assert.equal(common['group_id'], '99ebde56');
  assert.deepEqual(common['head_as_written'], {
    code_version: 'v0.63.0',
    qlog_format: 'JSON-SEQ',
    qlog_version: '0.3',
    event_schemas: [`${quic}-12`, `${http}-12`],
  });
});

test('an event of no draft keeps its data in a namespace of its own', async () => {
  const data = { packet_number_space: 'application_data', packet_number: 888, reordering_packets: 18 };
  const [event] = await mendedOf(JSON.stringify({ time: 1, name: 'recovery:spurious_loss', data }));
  assert.deepEqual(event, { time: 1, name: 'quic-go:recovery_spurious_loss', data });
});

test('numbers of 62 bits keep each digit', async () => {
  const setting = '{"name":"unknown","name_bytes":4611686018427387903,"value":4611686018427387901}';
  const [, kept = ''] = await keptOf([
    head,
    `${rs}{"time":0.1,"name":"http3:frame_parsed","data":{"stream_id":3,"frame":{"frame_type":"settings","settings":[${setting}]}}}`,
  ]);
  assert.match(kept, /"name_bytes":4611686018427387903,"value":4611686018427387901/);
});

test('a record that was cut short stays as it is, and lines are taken one at a time', async () => {
  let taken = 0;
  function* lines(): Generator<string> {
    for (const line of [head, `${rs}${String(written[0])}`, `${rs}{"time":2,"name":"recov`, 'no json']) {
      taken++;
      yield line;
    }
  }
  const kept = inDraftsForm(Readable.from(lines(), { highWaterMark: 1 }), (value) => value);
  await kept.next();
  assert.ok(taken <= 3, `${taken} lines were taken for the first`);
  const rest: string[] = [];
  for await (const line of kept) rest.push(line);
  assert.deepEqual(rest.slice(1), [`${rs}{"time":2,"name":"recov\n`, 'no json\n']);
});

test('a sender is read alike from a log as it was written and as it was kept', async () => {
  const lines = [head, ...written.map((event) => rs + event)];
  const sender = await readQlog(Readable.from(lines));
  assert.deepEqual(await readQlog(Readable.from(await keptOf(lines))), sender);
  const { packetsSent, packetsLost, spuriousLosses, samples } = sender;
  assert.deepEqual([packetsSent, packetsLost, spuriousLosses, samples.length], [1, 1, 1, 1]);
});

test('fields of another type than they should be are taken for absent', async () => {
  const strange = [
    ...['1', '{}', '[1]', '[[{}]]', '[["a",2]]'].map(
      (ranges) =>
        `{"time":1,"name":"transport:packet_received","data":{"frames":[null,1,{"frame_type":"ack","acked_ranges":${ranges}}]}}`,
    ),
    '{"time":2,"name":{"toString":1},"data":{}}',
    '{"time":3,"name":"constructor","data":{"header":1}}',
    '{"time":"4","name":"transport:packet_sent","data":null}',
    '{"time":5,"name":"recovery:congestion_state_updated","data":{"new":{"toString":1}}}',
    '{"time":6,"name":"transport:packet_dropped","data":{"trigger":"toString","frames":[{"frame_type":"toString"}]}}',
  ];
  const lines = [head, ...strange.map((line) => rs + line)];
  const sender = await readQlog(Readable.from(lines));
  assert.deepEqual([sender.packetsSent, sender.acknowledgements, sender.stateMs], [0, 0, {}]);
  assert.equal((await keptOf(lines)).length, lines.length);
});

test('the probe keeps a log of many records in form, each of them, and says what it counted', async (t) => {
  const folder = join(tempFolder(t), 'logs');
  const trialDir = tempFolder(t);
  mkdirSync(folder);
  const context = { launch: { protocol: 'h3', server: { qlogDir: folder } }, trialDir };
  const session = await qlog.setup(context as unknown as ProbeContext);
  await session.start?.();
  const events = Array.from({ length: 400 }, () => written.map((event) => rs + event)).flat();
  const lines = [head, ...events, `${rs}{"time":2,"name":"recov`];
  writeFileSync(join(folder, '99ebde56_server.sqlog'), lines.join('\n'));
  const { artifacts, counters, warnings } = await session.teardown({
    buildHar: null,
    frames: null,
    clean: (value) => value,
  });
  assert.deepEqual(warnings, []);
  assert.equal(counters?.['quicPacketsSent'], 400);
  const kept = gunzipSync(readFileSync(join(trialDir, artifacts?.['qlog0'] ?? assert.fail('nothing kept'))));
  assert.equal(kept.toString(), (await keptOf(lines)).join(''));
});

test('of the headers that a server wrote down none keeps what opens the page, and every other record stays as it is', async () => {
  const secret = 'Zq7 pass&word"22';
  const headers = {
    ':path': `/q?t=${encodeURIComponent(secret)}&b=${btoa(secret)}`,
    authorization: `Basic ${btoa(`user:${secret}`)}`,
    'set-cookie': 'sid=set-by-the-site-99',
    'x-own': 'given',
    accept: '*/*',
  };
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const frame = { stream_id: 0, frame: { frame_type: 'headers', headers: pairs } };
  const asked = { time: 1, name: 'http3:frame_parsed', data: frame };
  const unknown = head.replace('quic-go qlog', 'another');
  const clean = cleanerOfAccess([{ name: 'X-Own', value: 'given' }], [secret]);
  for (const first of [head, unknown]) {
    const lines = [first, rs + JSON.stringify(asked), rs + String(written[0]), `${rs}{"cut":"${secret}`];
    const kept = await Array.fromAsync(inDraftsForm(Readable.from(lines), clean));
    const text = kept.join('');
    for (const lost of ['Zq7', 'WnE3', 'xOnpxNy', 'set-by-the-site', 'given'])
      assert.ok(!text.includes(lost), `${lost} in ${text}`);
    assert.match(text, /"value":"\/q\?t=\(left-out-by-h2h3\)&b=\(left-out-by-h2h3\)"/);
    assert.match(text, /"accept","value":"\*\/\*"/);
    const as = await Array.fromAsync(inDraftsForm(Readable.from(lines), (value) => value));
    assert.deepEqual([kept[0], kept[2]], [as[0], as[2]]);
  }
});

/** Lines of curl (OpenSSL 3.5.7). */
const ofCurl = [
  `${rs}{"qlog_version":"0.3","qlog_format":"JSON-SEQ","trace":{"common_fields":{"time_format":"delta"},"vantage_point":{"type":"client","name":"OpenSSL/3.5.7 (debian-amd64)"}}}`,
  `${rs}{"name":"connectivity:connection_state_updated","data":{"state":"attempted"},"time":0}`,
  `${rs}{"name":"transport:parameters_set","data":{"owner":"remote","original_source_connection_id":"b6de22e5"},"time":0}`,
  `${rs}{"name":"transport:packet_sent","data":{"header":{"packet_type":"1RTT","packet_number":0,"dcid":"a6198de2"},"datagram_id":2},"time":0}`,
];

test('logs of curl get the fields of the version that they follow and keep its names; those of unknown writers stay', async () => {
  const [first = '', ...events] = await keptOf(ofCurl);
  assert.match(first, /"description":"Written by OpenSSL, brought by h2h3 .*quic-events-04/);
  const [state, parameters] = events.map((line) => JSON.parse(line.slice(1)) as Fields);
  assert.deepEqual(state?.['data'], { new: 'attempted' });
  assert.deepEqual(parameters?.['data'], { owner: 'remote' });
  assert.deepEqual(parameters['as_written'], { original_source_connection_id: 'b6de22e5' });
  assert.equal(events[2], `${String(ofCurl[3])}\n`);
  const unknown = [head.replace('quic-go qlog', 'another'), rs + String(written[1])];
  assert.deepEqual(
    await keptOf(unknown),
    unknown.map((line) => `${line}\n`),
  );
});
