/** An HTTP/1.1 answer as it was on the wire, taken apart. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Encoded as the headers say, without chunks. */
  readonly body: Buffer;
}

const headEnd = '\r\n\r\n';

/** Takes apart what a WARC file holds of an answer (RFC 9112); null where it is none. */
export function parseHttpAnswer(message: Buffer): HttpAnswer | null {
  const { first, headers, rest } = parseHead(message);
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(first)?.[1];
  if (status === undefined) return null;
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

/** First line, headers and what follows them. */
export function parseHead(message: Buffer): HttpHead {
  const end = message.indexOf(headEnd);
  const head = message.toString('latin1', 0, end < 0 ? message.length : end);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return { first, headers, rest: end < 0 ? Buffer.alloc(0) : message.subarray(end + headEnd.length) };
}

/** RFC 9112, 7.1; null where these are no chunks. */
function joinChunks(content: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let position = 0; ;) {
    const lineEnd = content.indexOf('\r\n', position);
    const size = /^([0-9a-f]+)(?:;.*)?$/i.exec(
      content.toString('latin1', position, Math.max(position, lineEnd)).trim(),
    );
    if (lineEnd < 0 || size?.[1] === undefined) return null;
    const length = parseInt(size[1], 16);
    const start = lineEnd + 2;
    if (length === 0) return Buffer.concat(chunks);
    if (start + length > content.length) return null;
    chunks.push(content.subarray(start, start + length));
    position = start + length + 2;
  }
}
