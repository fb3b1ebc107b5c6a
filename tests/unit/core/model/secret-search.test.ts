import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfText, startOfText } from '../../../../src/core/model/cut-text.ts';
import {
  noSecret,
  secretsNamedIn,
  valueWithoutSecrets,
  noSecretReason,
  withoutSecrets,
} from '../../../../src/core/model/secrets.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const lowerEscapes = (text: string): string => text.replaceAll(/%../g, (code) => code.toLowerCase());
const eachEscaped = (text: string): string =>
  [...bytes(text)].map((byte) => `%${byte.toString(16)}`).join('');
const asUnits = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, '0'))
    .map((code) => `\\u${code}`)
    .join('');
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('/', '&#x2F;');

const names: Readonly<Record<string, string>> = {
  '/': 'sol',
  '=': 'equals',
  '+': 'plus',
  '%': 'percnt',
  '&': 'amp',
  '"': 'quot',
  '.': 'period',
  ö: 'ouml',
};
const htmlByNames = (text: string): string =>
  [...text].map((letter) => (letter in names ? `&${names[letter]};` : letter)).join('');
const base64 = (text: string): string => bytes(text).toString('base64');
const inMail = (text: string): string => base64(text).replaceAll(/.{76}/g, '$&\r\n');
const asciiJson = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (letter) => asUnits(letter));

/** Ways in which a text is written that is a value somewhere, and what stands around it. */
const written: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => `?t=${text}&u=1`,
  'in an address': (text) => `?t=${encodeURIComponent(text)}&u=1`,
  'in an address, in lower case': (text) => `?t=${lowerEscapes(encodeURIComponent(text))}&u=1`,
  'as the browser itself escapes a path': (text) =>
    new URL(`https://a.test/x?${text.replaceAll(/[#&]/g, encodeURIComponent)}`).href,
  'in a form': (text) => new URLSearchParams({ t: text, u: '1' }).toString(),
  'escaped twice': (text) => encodeURIComponent(`https://a.test/?t=${encodeURIComponent(text)}`),
  'each byte escaped': (text) => `/${eachEscaped(text)}/`,
  'in JSON': (text) => JSON.stringify({ t: text }),
  'in JSON in JSON': (text) => JSON.stringify({ t: JSON.stringify({ t: text }) }),
  'in units of UTF-16': (text) => `"${asUnits(text)}"`,
  'in HTML': (text) => `<a title="${html(text)}">`,
  'in an address in JSON in HTML': (text) => html(JSON.stringify(`/?t=${encodeURIComponent(text)}`)),
  'in base64': (text) => `Bearer ${bytes(text).toString('base64')}.`,
  'in base64 after one byte': (text) => bytes(`:${text}@`).toString('base64'),
  'in base64 after two bytes': (text) => bytes(`::${text}@@`).toString('base64'),
  'in base64 for addresses': (text) => `/img/${bytes(`user:${text}`).toString('base64url')}`,
  'in base64 in an address': (text) => `?b=${encodeURIComponent(bytes(text).toString('base64'))}&u=1`,
  'in an address in base64': (text) => bytes(`?t=${encodeURIComponent(text)}`).toString('base64'),
  'in HTML by names': (text) => `<a title="${htmlByNames(text)}">`,
  'in base64 of a mail': (text) => inMail(`${'x'.repeat(45)}${text}${'y'.repeat(100)}`),
  'in base64 twice': (text) => base64(`t=${base64(`:${text}@`)}`),
  'in a form in base64': (text) => base64(new URLSearchParams({ t: text }).toString()),
  'in JSON in base64': (text) => base64(JSON.stringify({ t: text })),
  'in JSON of ASCII in base64': (text) => base64(asciiJson(text)),
  'in HTML in base64': (text) =>
    base64(
      text
        .replaceAll('&', '&amp;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;'),
    ),
  'in a cell of CSV': (text) => `1,"${text.replaceAll('"', '""')}",2`,
  'in hexadecimal': (text) => `/${bytes(text).toString('hex')}/`,
  'in hexadecimal, in upper case': (text) => `/${bytes(text).toString('hex').toUpperCase()}/`,
  'its bytes taken for characters': (text) => `x=${bytes(text).toString('latin1')};`,
  'in lower case, as names of hosts are': (text) => `${text.toLowerCase()}.test`,
};

/** What is long enough of a secret in any of the forms to say what it is. */
function restOf(clean: string, text: string): string[] {
  const lower = clean.toLowerCase();
  const forms = [text, encodeURIComponent(text), bytes(text).toString('hex'), eachEscaped(text)];
  return forms.filter((form) => lower.includes(form.toLowerCase().slice(-9)));
}

for (const secret of [
  'Zq7-hdr+secret/9Kx=',
  'Zq7cookieSecret4411',
  'Zq7 pass&word"22',
  'wörd&44d1/b7a9',
  '%41%2f/..?#',
  'a+b c+d',
  "~!*()'_-.<>",
  '123456',
  '密码🔑-7d3f',
])
  test(`a secret such as ${secret} is left out in every form, and what stands around it stays`, () => {
    for (const [way, write] of Object.entries(written)) {
      const text = write(secret);
      const clean = withoutSecrets(`before ${text} behind`, [secret]);
      assert.ok(clean.includes(noSecret), `${way}: ${text} became ${clean}`);
      assert.deepEqual(restOf(clean, secret), [], way);
      assert.match(clean, /^before .* behind$/s, way);
      assert.equal(withoutSecrets(clean, [secret]), clean, `${way}: nothing is left to leave out`);
    }
  });

test('of base64 only the letters that have bits of the secret are left out', () => {
  const secret = 'hunter-22';
  const clean = (text: string): string => withoutSecrets(bytes(text).toString('base64'), [secret]);
  assert.equal(clean(secret), noSecret);
  assert.equal(clean(`abc${secret}xyz`), `YWJj${noSecret}eHl6`);
  assert.equal(clean(`abcd${secret}wxyz`), `YWJjZ${noSecret}d4eXo=`);
});

test('secrets that overlap, touch or contain one another are left out together', () => {
  const secrets = ['abcdef-ghi', 'ghi-jklmno', 'ef-ghi'];
  assert.equal(withoutSecrets('[abcdef-ghi-jklmno]', secrets), `[${noSecret}]`);
  assert.equal(withoutSecrets('[abcdef-ghiabcdef-ghi]', secrets), `[${noSecret}]`);
  assert.equal(withoutSecrets('[abcdef-ghi, ghi-jklmno]', secrets), `[${noSecret}, ${noSecret}]`);
});

test('what is left of a secret where a text was cut is left out as well', () => {
  const secret = 'session-c41b6a02-7d3f';
  const said = `the cookie is ${secret}, and no more was said`;
  for (let most = 1; most < said.length; most++)
    for (const cut of [endOfText(said, most), startOfText(said, most)]) {
      const clean = withoutSecrets(cut, [secret]);
      for (let from = 0; from + 4 <= secret.length; from++)
        assert.ok(!clean.includes(secret.slice(from, from + 4)), `${cut} became ${clean}`);
    }
});

test('of what comes in parts nothing of a secret is left, wherever its parts end', () => {
  const secret = 'wörd-44d1b7a9';
  const said = `${'x'.repeat(30)} ${secret} ${'y'.repeat(30)}`;
  for (let size = 1; size < 20; size++) {
    let tail = '';
    for (let from = 0; from < said.length; from += size)
      tail = endOfText(tail + said.slice(from, from + size), 36);
    assert.ok(!/rd-4|44d1|b7a9/.test(withoutSecrets(tail, [secret])), tail);
  }
});

test('of a long secret, such as what a page stores, a part that is shown alone is left out', () => {
  const secret = Array.from({ length: 300 }, (_, index) => `key${index * 7919}`).join(';');
  const clean = withoutSecrets(`a ${secret} b ${secret.slice(500, 900)} c`, [secret]);
  assert.match(clean, /^a \(left-out-by-h2h3\) b .{0,127}\(left-out-by-h2h3\).{0,127} c$/);
});

test('a secret that was read by another encoding is left out but for the letters that it garbled', () => {
  const secret = 'wörd&44d1/b7a9';
  for (const encoding of ['windows-1252', 'iso-8859-2', 'koi8-r', 'shift_jis']) {
    const garbled = new TextDecoder(encoding).decode(bytes(secret));
    const clean = withoutSecrets(`?t=${encodeURIComponent(garbled)}&u=1`, [secret]);
    assert.match(clean, /^\?t=(?:w[%\w]+)?\(left-out-by-h2h3\)&u=1$/, encoding);
  }
});

test('an address stays one, so that what is compared by address stays alike', () => {
  const secret = 'Zq7 pass&word"22';
  const { href } = new URL(`https://a.test/p/${encodeURIComponent(secret)}?t=${encodeURIComponent(secret)}`);
  const clean = withoutSecrets(href, [secret]);
  assert.equal(new URL(clean).href, clean);
  const inLog = withoutSecrets(href.slice('https://a.test'.length), [secret]);
  assert.equal(new URL(clean).pathname + new URL(clean).search, inLog);
});

test(
  'a text is read in one go, however long it is, however much in it is escaped, and however many secrets there are',
  {
    timeout: 120_000,
  },
  () => {
    const secrets = Array.from({ length: 300 }, (_, index) => `session-of-a-page-${index * 7919}`);
    const line =
      'session-of-a-page-%2525%2525 \\\\\\" &amp;amp; GET /a?b=%73ession-of-a-page-1234567890 HTTP/2.0\n';
    const text = line.repeat(20_000);
    assert.equal(withoutSecrets(text, secrets), text);
    assert.equal(withoutSecrets(`${text}${secrets[7]}`, secrets), `${text}${noSecret}`);
  },
);

test('each secret that is found is named, and only those', () => {
  const namesIn = secretsNamedIn([
    { name: 'one', value: 'value-of-one' },
    { name: 'two', value: 'value-of-two' },
    { name: 'key', value: '-----BEGIN-----\nMC4CAQAwBQYDK2Vw\n-----END-----' },
  ]);
  assert.deepEqual([...namesIn(`?a=${btoa('value-of-two')}`)], ['two']);
  assert.deepEqual([...namesIn('MC4CAQAwBQYDK2Vw')], ['key']);
  assert.deepEqual([...namesIn('value-of-three')], []);
});

test('what is too short or stands in every text is refused with the reason, in any form', () => {
  assert.match(noSecretReason('12345') ?? '', /has 5 characters/);
  assert.match(noSecretReason('Left-Out') ?? '', /in the place of secrets/);
  assert.match(noSecretReason('websocket') ?? '', /is a word/);
  assert.match(noSecretReason('my shop', 'https://a.test/my%20shop') ?? '', /in an address of the plan/);
});

test('texts of a value that hold no secret stay as they are, whatever is escaped in them', () => {
  const value = { url: '/?a=%2525&b=\\u0041', list: ['&amp;', 7, null], none: '' };
  assert.deepEqual(valueWithoutSecrets(value, ['hunter-22']), value);
});

test('a secret of one letter repeated leaves no letter of itself, in time in proportion to the text', () => {
  const timeMs = (length: number, secret: string): number =>
    cpuMs(() => assert.equal(withoutSecrets('a'.repeat(length), [secret]), noSecret));
  for (const secret of ['a'.repeat(8), 'a'.repeat(128), 'aA'.repeat(500)]) {
    timeMs(10_000, secret);
    const ratio = timeMs(160_000, secret) / Math.max(1, timeMs(20_000, secret));
    assert.ok(ratio < 24, `8 times as long a text took ${ratio.toFixed(1)} times as long`);
  }
  assert.equal(withoutSecrets('x aaaaaaaaaaaaay', ['aaaaaaaa']), `x ${noSecret}y`);
});
