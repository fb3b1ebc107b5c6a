/** What a client of the proxy asks for. */
export interface ProxyRequest {
  readonly host: string;
  readonly port: number;
  /** What it sent already for the other end. */
  readonly rest: Buffer;
  /** Answers that say so, in the words of the protocol. */
  readonly accepted: Buffer;
  readonly refused: Buffer;
}

/**
 * `more`: what has come is not all. `answer`: something to send back, with what came behind it. `no`: something to send back before
 * the end.
 */
export type ProxyStep =
  | { readonly type: 'more' }
  | { readonly type: 'answer'; readonly data: Buffer; readonly rest: Buffer }
  | { readonly type: 'no'; readonly data: Buffer }
  | { readonly type: 'connect'; readonly request: ProxyRequest };

const more: ProxyStep = { type: 'more' };
const socksVersion = 5;
const maxHeadBytes = 16 * 1024;

/** SOCKS5 (RFC 1928): no log-in, and of its commands CONNECT alone. */
const socks = {
  noLogIn: Buffer.from([socksVersion, 0]),
  noMethod: Buffer.from([socksVersion, 0xff]),
  reply: (code: number) => Buffer.from([socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0]),
  succeeded: 0,
  refused: 5,
  noSuchCommand: 7,
  noSuchAddress: 8,
} as const;

/** Reads the beginning of a connection to the proxy. @param greeted whether the client of SOCKS5 has its answer */
export function readProxyRequest(data: Buffer, greeted: boolean): ProxyStep {
  if (data.length === 0) return more;
  if (greeted) return socksRequest(data);
  return data[0] === socksVersion ? socksGreeting(data) : httpRequest(data);
}

function socksGreeting(data: Buffer): ProxyStep {
  const end = 2 + (data[1] ?? Infinity);
  if (data.length < end) return more;
  if (!data.subarray(2, end).includes(0)) return { type: 'no', data: socks.noMethod };
  return { type: 'answer', data: socks.noLogIn, rest: data.subarray(end) };
}

function socksRequest(data: Buffer): ProxyStep {
  const headBytes = 4;
  if (data.length <= headBytes) return more;
  if (data[1] !== 1) return { type: 'no', data: socks.reply(socks.noSuchCommand) };
  const kind = data[3];
  const nameBytes = data[headBytes] ?? 0;
  const ranges: Readonly<Record<number, readonly [from: number, length: number]>> = {
    1: [headBytes, 4],
    3: [headBytes + 1, nameBytes],
    4: [headBytes, 16],
  };
  const range = ranges[kind ?? 0];
  if (range === undefined) return { type: 'no', data: socks.reply(socks.noSuchAddress) };
  const end = range[0] + range[1];
  if (data.length < end + 2) return more;
  const address = data.subarray(range[0], end);
  const request = {
    host: kind === 3 ? address.toString('latin1') : addressText(address),
    port: data.readUInt16BE(end),
    rest: data.subarray(end + 2),
    accepted: socks.reply(socks.succeeded),
    refused: socks.reply(socks.refused),
  };
  return { type: 'connect', request };
}

function addressText(address: Buffer): string {
  if (address.length === 4) return address.join('.');
  return Array.from({ length: 8 }, (_, index) => address.readUInt16BE(2 * index).toString(16)).join(':');
}

/** CONNECT of HTTP/1.1 (RFC 9110, section 9.3.6); other requests would share a connection between servers. */
function httpRequest(data: Buffer): ProxyStep {
  const end = data.indexOf('\r\n\r\n');
  if (end === -1) return data.length > maxHeadBytes ? { type: 'no', data: httpAnswer(400) } : more;
  const [line = ''] = data.subarray(0, end).toString('latin1').split('\r\n');
  const target = /^CONNECT (?:\[(?<v6>[\da-f:.]+)\]|(?<name>[^\s:]+)):(?<port>\d{1,5}) HTTP\/1\.[01]$/i.exec(
    line,
  )?.groups;
  const port = Number(target?.['port']);
  if (target === undefined || port > 65_535) return { type: 'no', data: httpAnswer(501) };
  const request = {
    host: target['v6'] ?? target['name'] ?? '',
    port,
    rest: data.subarray(end + 4),
    accepted: Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'),
    refused: httpAnswer(502),
  };
  return { type: 'connect', request };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'What came is no request',
  501: 'This proxy takes CONNECT alone. Programs that ask it for http:// addresses take it as SOCKS5',
  502: 'The server refused the connection',
};

function httpAnswer(status: number): Buffer {
  const text = `h2h3: ${reasons[status]}.\n`;
  return Buffer.from(
    `HTTP/1.1 ${status} ${reasons[status]}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
}
