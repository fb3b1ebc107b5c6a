/** No document of ours has a tenth of it; each costs dozens of bytes of memory, an empty one in a list too. */
const maxValues = 20_000_000;
/** What reads a value within a value by recursion has room for this many. */
const deepest = 500;

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * `JSON.parse` of a text that somebody else wrote. A file of 256 MB would fill 13 GB with nothing but brackets, and readers that go
 * down into values would run out of stack.
 *
 * @throws SyntaxError for what is no JSON, has too many values, or holds them too deep within each other
 */
export function parseForeignJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  requireBounds(text);
  return JSON.parse(text, reviver);
}

/** What a text of JSON says; undefined for one that is none. */
export function jsonOf(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function requireBounds(text: string): void {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === comma) values++;
    else if (character === openObject || character === openList) {
      values++;
      if (++depth > deepest) throw new SyntaxError(`it holds values more than ${deepest} deep`);
    } else if (character === closeObject || character === closeList) depth--;
  }
  if (values > maxValues) throw new SyntaxError(`it has more than ${maxValues} values`);
}

/** Where the quotation mark is that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charAt(end - 1 - backslashes) === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
