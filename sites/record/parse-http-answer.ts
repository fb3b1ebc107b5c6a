/** An HTTP/1.1 answer as it was on the wire, taken apart. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Encoded as the headers say, without chunks. */
  readonly body: Buffer;
}

/** Old servers leave the version out. */
const statusLine = /^HTTP(?:\/\d(?:\.\d)?)? +(\d{3})(?!\d)/i;

/**
 * Takes apart what a WARC file holds of an answer (RFC 9112), which servers may announce by others of status 100 to 199;
 * null where it is none.
 */
export function parseHttpAnswer(message: Buffer): HttpAnswer | null {
  const { first, headers, rest } = parseHead(message);
  const status = statusLine.exec(first)?.[1];
  if (status === undefined) return null;
  if (status.startsWith('1') && statusLine.test(rest.toString('latin1', 0, 64))) return parseHttpAnswer(rest);
  const isChunked = headers.some(
    ([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value),
  );
  // Some crawlers keep the header and store the body without its chunks.
  const body = (isChunked ? joinChunks(rest) : null) ?? rest;
  return { status: Number(status), headers, body };
}

export interface HttpHead {
  readonly first: string;
  readonly headers: readonly [string, string][];
  readonly rest: Buffer;
}

/** First line, headers and what follows them; lines end with CRLF, or with LF alone as browsers take it (RFC 9112, 2.2). */
export function parseHead(message: Buffer): HttpHead {
  const end = endOfHead(message);
  const head = message.toString('latin1', 0, end);
  // A line that begins with a blank goes on with the one before (RFC 9112, 5.2).
  const [first = '', ...lines] = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return { first, headers, rest: message.subarray(end) };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Just behind the first empty line; the message's length where there is none. */
function endOfHead(message: Buffer): number {
  for (let at = message.indexOf(lineFeed); at >= 0; at = message.indexOf(lineFeed, at + 1)) {
    const next = message[at + 1] === carriageReturn ? at + 2 : at + 1;
    if (message[next] === lineFeed) return next + 1;
  }
  return message.length;
}

/** RFC 9112, 7.1, with lines as in heads, and as far as they go where the last is cut short; null where these are no chunks. */
function joinChunks(content: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let position = 0; ;) {
    const lineEnd = content.indexOf(lineFeed, position);
    const size = /^([0-9a-f]+)(?:;.*)?$/i.exec(
      content.toString('latin1', position, Math.max(position, lineEnd)).trim(),
    );
    if (position >= content.length && chunks.length > 0) return Buffer.concat(chunks);
    if (lineEnd < 0 || size?.[1] === undefined) return null;
    const length = parseInt(size[1], 16);
    const start = lineEnd + 1;
    const end = start + length;
    if (length === 0) return Buffer.concat(chunks);
    if (end > content.length)
      return chunks.length === 0 ? null : Buffer.concat([...chunks, content.subarray(start)]);
    chunks.push(content.subarray(start, end));
    position = end + (content[end] === carriageReturn ? 2 : 1);
  }
}
