import { isIP } from 'node:net';

/** Types of records that names of a testbed may have (RFC 1035, 3596, 9460). */
const typeNames: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA', 65: 'HTTPS' };
const internetClass = 1;
const nameError = 3;
const headerBytes = 12;
const maxNameBytes = 255;
const ttlSeconds = 60;
/** `alpn` (RFC 9460, section 7.1). */
const alpnKey = 1;

/** The first question of a query. */
export interface DnsQuestion {
  /** As the query names it. */
  readonly id: number;
  /** Lower case, without the last dot. */
  readonly name: string;
  readonly type: number;
  /** The question as it stands in the query. */
  readonly bytes: Buffer;
}

/** The names of a testbed, which all lead to one place. */
export interface DnsZone {
  readonly hosts: ReadonlySet<string>;
  /** At most one of each version of IP. */
  readonly addresses: readonly string[];
  /** Protocols that HTTPS records name, by their ALPN identifiers; null: there are no such records. */
  readonly alpn: readonly string[] | null;
}

export interface DnsAnswer {
  /** Without the label of a port (RFC 9460, section 2.3). */
  readonly host: string;
  /** Such as `HTTPS`; of a type without a name its number. */
  readonly type: string;
  /** Whether the zone has such a record. */
  readonly found: boolean;
  readonly message: Buffer;
}

/** Undefined for what is no query of one plain question. */
export function readQuestion(query: Buffer): DnsQuestion | undefined {
  if (query.length < headerBytes || query.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = query[at];
    // A pointer (RFC 1035, 4.1.4) has nothing to point at in a first name.
    if (length === undefined || length > 63 || at > headerBytes + maxNameBytes) return undefined;
    if (length === 0) break;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  if (query.length < end || query.readUInt16BE(at + 3) !== internetClass) return undefined;
  return {
    id: query.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    bytes: query.subarray(headerBytes, end),
  };
}

/** What a zone answers: a record, none of that type, or that there is no such name. */
export function answerOf({ id, name, type, bytes }: DnsQuestion, zone: DnsZone): DnsAnswer {
  const host = name.replace(/^_\d+\._https\./, '');
  const isKnown = zone.hosts.has(host);
  const record = isKnown ? recordOf(typeNames[type], name, host, zone) : null;
  const head = Buffer.alloc(headerBytes);
  head.writeUInt16BE(id, 0);
  // An answer to a query that wanted recursion, and may have it.
  head.writeUInt16BE(0x8180 | (isKnown ? 0 : nameError), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(record === null ? 0 : 1, 6);
  return {
    host,
    type: typeNames[type] ?? String(type),
    found: record !== null,
    message: Buffer.concat([head, bytes, ...(record === null ? [] : [resourceOf(type, record)])]),
  };
}

function recordOf(type: string | undefined, name: string, host: string, zone: DnsZone): Buffer | null {
  const address = zone.addresses.find((one) => addressTypes[isIP(one)] === type);
  if (name === host && address !== undefined) return addressBytes(address);
  if (type !== 'HTTPS' || zone.alpn === null) return null;
  const alpn = Buffer.concat(zone.alpn.map(lengthThenText));
  // Of a name with a port label, `.` would be that name itself.
  const target = name === host ? [] : host.split('.').map(lengthThenText);
  const priority = twoBytes(1);
  return Buffer.concat([
    priority,
    ...target,
    Buffer.alloc(1),
    twoBytes(alpnKey),
    twoBytes(alpn.length),
    alpn,
  ]);
}

/** Types of address records, by the version of IP. */
const addressTypes: Readonly<Record<number, string>> = { 4: 'A', 6: 'AAAA' };

/** An address as records hold it (RFC 1035, 3.4.1; RFC 3596, 2.2). */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groupsOf = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.concat([...before, ...zeros, ...after].map(twoBytes));
}

function resourceOf(type: number, record: Buffer): Buffer {
  const ttl = Buffer.alloc(4);
  ttl.writeUInt32BE(ttlSeconds);
  // Its name is the question's.
  return Buffer.concat([
    twoBytes(0xc00c),
    twoBytes(type),
    twoBytes(internetClass),
    ttl,
    twoBytes(record.length),
    record,
  ]);
}

function lengthThenText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
