import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { parsePerfReport } from '../../../../harness/probes/perf-report.ts';
import { readQlog } from '../../../../harness/probes/qlog.ts';
import { parseSamples } from '../../../../harness/probes/transport.ts';

const sent = (time: number): string => `\u001e{"time":${time},"name":"transport:packet_sent","data":{}}`;

test('a qlog that was cut short, holds what is no record or never began is read as far as it goes', async () => {
  const cut = [sent(1), 'no json', '\u001e[1,2]', '\u001enull', sent(2), '\u001e{"time":3,"name":"transp'];
  assert.equal((await readQlog(Readable.from(cut))).packetsSent, 2);
  const nothing = {
    samples: [],
    packetsSent: 0,
    packetsLost: 0,
    spuriousLosses: 0,
    acknowledgements: 0,
    stateMs: {},
    transitions: {},
  };
  assert.deepEqual(await readQlog(Readable.from([])), nothing);
});

test('a qlog of a hundred thousand records is read line by line, and its samples stay ten milliseconds apart', async () => {
  const records = 100_000;
  function* lines(): Generator<string> {
    for (let index = 0; index < records; index++)
      yield `\u001e{"time":${index / 100},"name":"recovery:metrics_updated","data":{"smoothed_rtt":20}}`;
  }
  const { samples } = await readQlog(Readable.from(lines()));
  assert.ok(samples.length <= records / 1000 + 1, `${samples.length} samples`);
  assert.ok(samples.length > 90);
});

test('what ss and perf did not write to the end is left out', () => {
  assert.deepEqual(parseSamples('@1.0\nESTAB 0 0 1.1.1.1:1\n@2'), []);
  assert.deepEqual(parsePerfReport('# Samples: 1\n 3 \t 7:curl\tlibc.so.6\t[.] read\n3'), []);
});
