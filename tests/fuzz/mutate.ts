import type { SeededRandom } from '../../src/core/model/seeded-random.ts';

/** Values that readers have fallen over, here or elsewhere. */
const nastyValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  3e20,
  -3e20,
  2 ** 53,
  '',
  '-1',
  'NaN',
  '0x10',
  '__proto__',
  'constructor',
  '../../x',
  '/etc/passwd',
  'file:///etc/passwd',
  'https://',
  'http://[',
  'a\u0000b',
  '\u001b]0;x\u0007',
  '\ud800',
  'toString',
  'hasOwnProperty',
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
  // What becomes no text: `String` of it throws.
  { toString: 1 },
  { toString: 1, valueOf: 1 },
  [{ toString: null, valueOf: null }],
];
const nastyTexts = [
  '\u0000',
  '\n',
  '\r\n\r\n',
  '{',
  '[',
  '"',
  '-',
  '9'.repeat(40),
  '&a [*a,*a]',
  '*a',
  '%',
  '__proto__',
];
const deepNesting = 5_000;
const longText = 200_000;

function pick<T>(random: SeededRandom, items: readonly T[]): T {
  return items[random.integer(items.length)] as T;
}

function mutateBytes(input: Buffer, random: SeededRandom): Buffer {
  const at = random.integer(input.length + 1);
  const length = 1 + random.integer(Math.max(1, input.length >> 2));
  switch (random.integer(7)) {
    case 0:
      return input.subarray(0, at);
    case 1: {
      const copy = Buffer.from(input);
      if (copy.length > 0) copy[at % copy.length] = random.integer(256);
      return copy;
    }
    case 2:
      return Buffer.concat([input.subarray(0, at), input.subarray(at, at + length), input.subarray(at)]);
    case 3:
      return Buffer.concat([input.subarray(0, at), input.subarray(at + length)]);
    case 4:
      return Buffer.concat([
        input.subarray(0, at),
        Buffer.from(pick(random, nastyTexts)),
        input.subarray(at),
      ]);
    case 5:
      return Buffer.concat([input.subarray(0, at), Buffer.from('['.repeat(deepNesting)), input.subarray(at)]);
    default:
      return Buffer.concat([
        input.subarray(0, at),
        Buffer.alloc(longText, pick(random, ['9', ' ', 'x'])),
        input.subarray(at),
      ]);
  }
}

type Container = Record<string | number, unknown>;

/** Every object and array within a value. */
function containersOf(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Container, ...Object.values(value).flatMap(containersOf)];
}

/** Changes one place of a JSON value: another value, a missing or a renamed key, an item twice. */
function mutateJson(value: unknown, random: SeededRandom): unknown {
  const copy: unknown = structuredClone(value);
  const container = pick(random, [{ only: copy }, ...containersOf(copy)] as Container[]);
  const keys = Object.keys(container);
  const key = pick(random, keys.length > 0 ? keys : ['x']);
  if (container['only'] === copy) return pick(random, nastyValues);
  switch (random.integer(4)) {
    case 0:
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else delete container[key];
      break;
    case 1:
      if (Array.isArray(container)) container.push(...(container as unknown[]));
      else
        Object.defineProperty(container, pick(random, ['__proto__', 'constructor', 'x']), {
          value: container[key],
          enumerable: true,
        });
      break;
    default:
      container[key] = pick(random, nastyValues);
  }
  return copy;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON: its bytes are changed instead
  }
}

/** An input with one to four faults; the same for the same random numbers. */
export function mutate(input: Buffer, random: SeededRandom): Buffer {
  let result = input;
  for (let faults = 1 + random.integer(4); faults > 0; faults--) {
    const lines = result.toString('utf8').split('\n');
    const line = random.integer(lines.length);
    const value =
      random.integer(3) === 0 ? undefined : (jsonOf(result.toString('utf8')) ?? jsonOf(lines[line] ?? ''));
    if (value === undefined) result = mutateBytes(result, random);
    else {
      const text = JSON.stringify(mutateJson(value, random)) ?? '';
      const isWhole = lines.length === 1 || jsonOf(result.toString('utf8')) !== undefined;
      result = Buffer.from(isWhole ? text : lines.with(line, text).join('\n'));
    }
  }
  return result;
}
