import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, readQuestion, type DnsZone } from '../../../../harness/testbed/dns-answer.ts';

const zone: DnsZone = { hosts: new Set(['www.lab.test']), addresses: ['198.18.0.2'], alpn: ['h3', 'h2'] };
const types = { A: 1, AAAA: 28, HTTPS: 65 } as const;

function query(name: string, type: number): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  const head = Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, type, 0, 1])]);
}

function ask(name: string, type: number, of = zone): ReturnType<typeof answerOf> {
  const question = readQuestion(query(name, type));
  assert.ok(question);
  return answerOf(question, of);
}

const codeOf = (message: Buffer): number => message.readUInt16BE(2) & 15;
const answersOf = (message: Buffer): number => message.readUInt16BE(6);

test('a name of the zone leads to its address, whatever the case of its letters', () => {
  const { host, type, found, message } = ask('WWW.lab.test', types.A);
  assert.deepEqual([host, type, found], ['www.lab.test', 'A', true]);
  assert.equal(message.readUInt16BE(0), 0x1234);
  assert.deepEqual([...message.subarray(-6)], [0, 4, 198, 18, 0, 2]);
});

test('names lead to an address of IPv6 by the record that has such, and by no other', () => {
  const bytesOf = (address: string): number[] => [
    ...ask('www.lab.test', types.AAAA, { ...zone, addresses: [address] }).message.subarray(-18),
  ];
  const middle = [0, 0, 0, 0, 0, 0, 0, 0];
  assert.deepEqual(bytesOf('2001:2::1f:2'), [0, 16, 0x20, 1, 0, 2, ...middle, 0, 0x1f, 0, 2]);
  assert.deepEqual(bytesOf('::1'), [0, 16, ...new Array<number>(15).fill(0), 1]);
  assert.deepEqual(bytesOf('fe80::'), [0, 16, 0xfe, 0x80, ...new Array<number>(14).fill(0)]);
  assert.deepEqual(bytesOf('1:2:3:4:5:6:7:8'), [0, 16, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]);
  assert.equal(ask('www.lab.test', types.A, { ...zone, addresses: ['::1'] }).found, false);
  const both = { ...zone, addresses: ['198.18.0.2', '::1'] };
  assert.ok(ask('www.lab.test', types.A, both).found && ask('www.lab.test', types.AAAA, both).found);
});

test('an HTTPS record names the protocols, HTTP/3 first, and where it is of the name itself, no target', () => {
  const { found, message } = ask('www.lab.test', types.HTTPS);
  assert.ok(found);
  const record = [0, 1, 0, 0, 1, 0, 6, 2, 0x68, 0x33, 2, 0x68, 0x32];
  assert.deepEqual([...message.subarray(-record.length)], record);
});

test('a name with the label of a port is that host, and its record names the host as its target', () => {
  const { host, found, message } = ask('_8443._https.www.lab.test', types.HTTPS);
  assert.deepEqual([host, found], ['www.lab.test', true]);
  assert.ok(message.includes(Buffer.from([0, 1, 3, ...Buffer.from('www'), 3, ...Buffer.from('lab')])));
  assert.equal(ask('_8443._https.www.lab.test', types.A).found, false);
});

test('a zone without records answers that there is none, and not that the name is unknown', () => {
  const without = ask('www.lab.test', types.HTTPS, { ...zone, alpn: null });
  assert.deepEqual([without.found, codeOf(without.message), answersOf(without.message)], [false, 0, 0]);
  assert.equal(ask('www.lab.test', types.AAAA).found, false);
});

test('any other name does not exist, so that nothing leads out of the testbed', () => {
  const { found, message } = ask('update.googleapis.com', types.A);
  assert.deepEqual([found, codeOf(message), answersOf(message)], [false, 3, 0]);
});

test('what is no query of one plain question is none', () => {
  const whole = query('www.lab.test', types.A);
  for (const bytes of [whole.subarray(0, 11), whole.subarray(0, -1), Buffer.alloc(0)])
    assert.equal(readQuestion(bytes), undefined);
  const two = Buffer.from(whole);
  two.writeUInt16BE(2, 4);
  const pointer = Buffer.from(whole);
  pointer[12] = 0xc0;
  assert.deepEqual([readQuestion(two), readQuestion(pointer)], [undefined, undefined]);
});
