/** Keys whose values say which of an interface's operations is meant: with another one the answer is another. */
const operationKeys = /(^|\.)(operationName|query|sha256Hash|method|action|operation|op|command|cmd)$/;
const maxPairs = 2_000;
const maxTextBytes = 200_000;

/** A body taken apart for comparison. */
export interface BodyPairs {
  readonly pairs: readonly string[];
  /** Of the pairs those that name an operation. */
  readonly operations: readonly string[];
}

/**
 * `key=value` of every leaf of JSON, of every field of a form and of every part of a multipart body; the words of
 * other text; nothing of what is no text.
 */
export function bodyPairs(body: Uint8Array | null, contentType: string): BodyPairs {
  if (body === null || body.length === 0) return { pairs: [], operations: [] };
  const pairs = pairsOf(Buffer.from(body), contentType)
    .slice(0, maxPairs)
    .map(({ key, value }) => ({ key, text: `${key}=${value}` }));
  return {
    pairs: pairs.map(({ text }) => text),
    operations: pairs.filter(({ key }) => operationKeys.test(key)).map(({ text }) => text),
  };
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

function pairsOf(body: Buffer, contentType: string): Pair[] {
  if (/multipart\//i.test(contentType)) return partsOf(body, contentType);
  if (body.length > maxTextBytes || body.includes(0)) return [];
  const text = body.toString('utf8');
  if (/x-www-form-urlencoded/i.test(contentType)) return formPairs(text);
  return jsonPairs(text) ?? (/^[^=&\s]+=[^\s]*$/.test(text) ? formPairs(text) : words(text));
}

function formPairs(text: string): Pair[] {
  return text.split('&').map((pair) => {
    const [key = '', ...value] = pair.split('=');
    return { key, value: value.join('=') };
  });
}

/** Undefined for what is no JSON; several documents one a line are JSON too. */
function jsonPairs(text: string): Pair[] | undefined {
  const pairs: Pair[] = [];
  try {
    gather(JSON.parse(text), '', pairs);
    return pairs;
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2 || !/^\s*[[{]/.test(text)) return undefined;
    try {
      lines.forEach((line, index) => gather(JSON.parse(line), `${index}`, pairs));
      return pairs;
    } catch {
      return undefined;
    }
  }
}

function gather(value: unknown, path: string, pairs: Pair[]): void {
  if (pairs.length >= maxPairs) return;
  if (typeof value !== 'object' || value === null) {
    pairs.push({ key: path, value: JSON.stringify(value) });
    return;
  }
  for (const [key, inner] of Object.entries(value))
    gather(inner, path === '' ? key : `${path}.${key}`, pairs);
}

/** Name, file name and content of each part; the boundary is random and says nothing. */
function partsOf(body: Buffer, contentType: string): Pair[] {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  return body
    .toString('latin1')
    .split(`--${boundary}`)
    .flatMap((part): Pair[] => {
      const at = part.indexOf('\r\n\r\n');
      const name = /name="([^"]*)"/.exec(part.slice(0, Math.max(0, at)))?.[1];
      if (at < 0 || name === undefined) return [];
      return [{ key: name, value: part.slice(at + 4).replace(/\r\n$/, '') }];
    });
}

function words(text: string): Pair[] {
  return [...new Set(text.split(/[^\p{L}\p{N}_.-]+/u))]
    .filter((word) => word !== '')
    .map((word) => ({ key: word, value: '' }));
}
