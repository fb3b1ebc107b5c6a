import { isSecretKey } from '../archive/secrets.ts';

/** Keys by which pages defeat caches, and values that are times or random. */
const volatileKeys =
  /^(_|_t|t|ts|cb|cachebust(er)?|rand(om)?|rnd|nonce|time(stamp)?|now|ord|uuid|guid|cid|sid|request_?id)$/i;
const volatileValues =
  /^"?(\d{10}|\d{13}|0\.\d{6,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{1,2}:\d\d:\d\d(( |\+|%20)?[AP]M)?)"?$/i;
/** Under which pages name the function that a script is to call (JSONP), whose answer is given with the name asked for. */
const callbackKeys = /^(?:json_?p_?)?(?:callback|json_?p)$/i;
/** What scripts put together of letters and digits that are random, or a time, and what servers number things by. */
const madeUpValues = /^"?(?=.*\d)[\w$.~-]{8,}"?$/;
const madeUpSegments =
  /^(?=.*\d)(?:[A-Za-z0-9]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\.\w{1,5}$|$)/;

/** Whether a page asks by another query in each load, because a time or a random number is in it. */
export function changesEachLoad(query: string): boolean {
  return query !== '' && query.split('&').some((pair) => isTimeOrChance(parted(pair)));
}

interface Parted {
  /** Empty: the value stands alone, as in the requests of jQuery and JupyterLab that have a time and nothing else. */
  readonly key: string;
  readonly value: string;
}

function parted(pair: string): Parted {
  const mark = pair.indexOf('=');
  return {
    key: mark < 0 ? '' : (pair.slice(0, mark).split('.').at(-1) ?? ''),
    value: pair.slice(mark + 1).replaceAll(/%3A/gi, ':'),
  };
}

function isTimeOrChance({ key, value }: Parted): boolean {
  return volatileKeys.test(key) || volatileValues.test(value);
}

/** Whether a pair of a query or a body is another one in each load, or stands for a secret. */
export function isVolatile(pair: string): boolean {
  const { key, value } = parted(pair);
  return isTimeOrChance({ key, value }) || callbackKeys.test(key) || (key !== '' && isOldToken(value, key));
}

/** Archives of the first version have one word for all secrets. */
function isOldToken(value: string, key: string): boolean {
  return value === 'removed' || isSecretKey(key);
}

/** A pair without its value, where that may be made up anew in each load. */
export function shapeOfPair(pair: string): string {
  const mayBeMadeUp = isVolatile(pair) || madeUpValues.test(parted(pair).value);
  return mayBeMadeUp ? pair.slice(0, pair.indexOf('=') + 1) : pair;
}

/** A path without its parts that may be made up. */
export function shapeOfPath(path: string): string {
  return path
    .split('/')
    .map((segment) => segment.replace(madeUpSegments, '*'))
    .join('/');
}
