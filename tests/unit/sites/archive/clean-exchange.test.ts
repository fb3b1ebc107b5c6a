import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../../support/cpu-time.ts';
import { cleanExchange } from '../../../../sites/archive/clean-exchange.ts';
import { findSecrets, requireNoSecrets } from '../../../../sites/archive/known-secrets.ts';
import { setCookiesOf } from '../../../../sites/archive/headers.ts';
import { SecretCleaner } from '../../../../sites/archive/secrets.ts';
import type { RecordedExchange } from '../../../../sites/archive/write-archive.ts';

const key = 'ab12';
const hash = 'h2h3-[0-9a-f]{16}';

function exchange(changes: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    entry: {
      method: 'GET',
      host: 'shop.example',
      path: '/;jsessionid=77/a',
      range: '',
      status: 200,
      query: 'page=2&access_token=abc&sid=9&code=xyz&pwd=p&SAMLResponse=s',
      headers: [
        ['Set-Cookie', 'id=1; Path=/; HttpOnly'],
        ['Content-Type', 'text/html'],
        ['Alt-Svc', 'h3=":443"'],
        ['Transfer-Encoding', 'chunked'],
        ['Location', 'https://user:pw@shop.example/cb?code=xyz&x=1#id_token=t'],
        ['X-Auth-Token', 'secret'],
        ['X-Api-Key', 'secret'],
        ['Access-Control-Allow-Headers', 'authorization, x-api-key'],
      ],
      startMs: 0,
      waitMs: 0,
    },
    requestBody: null,
    body: null,
    ...changes,
  };
}

test('hashes stand for cookies, tokens and names in addresses, and everything that went is named', () => {
  const cleaner = new SecretCleaner(key);
  const { entry } = cleanExchange(exchange(), cleaner);
  const query = `page=2&access_token=${hash}&sid=${hash}&code=${hash}&pwd=${hash}&SAMLResponse=${hash}`;
  assert.match(entry.query, new RegExp(`^${query}$`));
  assert.match(entry.path, new RegExp(`^/;jsessionid=${hash}/a$`));
  const headers = new Map(entry.headers);
  assert.match(headers.get('Set-Cookie') ?? '', new RegExp(`^id=${hash}; Path=/; HttpOnly$`));
  assert.match(
    headers.get('Location') ?? '',
    new RegExp(`^https://shop\\.example/cb\\?code=${hash}&x=1#id_token=${hash}$`),
  );
  assert.match(headers.get('X-Auth-Token') ?? '', new RegExp(`^${hash}$`));
  assert.equal(headers.get('X-Auth-Token'), headers.get('X-Api-Key'), 'the same for the same value');
  assert.equal(headers.get('Access-Control-Allow-Headers'), 'authorization, x-api-key');
  assert.equal(headers.has('Alt-Svc') || headers.has('Transfer-Encoding'), false);
  assert.doesNotMatch(JSON.stringify(entry), /abc|xyz|secret"|user:pw/);
  assert.equal(
    cleaner.removed.filter((name) => name === 'query code').length,
    2,
    'of the address and of Location',
  );
  assert.ok(cleaner.removed.includes('header set-cookie'));
});

test('what a replayed page sends back is recognised, and other keys make other hashes', () => {
  const cleaner = new SecretCleaner(key);
  const once = cleaner.query('token=one');
  assert.equal(cleaner.query(once), once);
  assert.notEqual(cleaner.query('token=two'), once);
  assert.notEqual(new SecretCleaner('cd34').query('token=one'), once);
  assert.equal(cleaner.cookies('b=2; a=1'), cleaner.cookies('a=1; b=2'));
});

test('secrets of addresses within addresses and links go as well, and so do session ids of any name', () => {
  const cleaner = new SecretCleaner(key);
  const query = `PHPSESSID=1&next=${encodeURIComponent('https://shop.example/?page=1&token=abc')}&to=%2Fa%3Fx%3D1`;
  const once = cleaner.query(query);
  const inner = `https://shop\\.example/\\?page=1&token=${hash}`;
  const [session = '', next = '', to] = once.split('&');
  assert.match(session, new RegExp(`^PHPSESSID=${hash}$`));
  assert.match(decodeURIComponent(next), new RegExp(`^next=${inner}$`));
  assert.equal(to, 'to=%2Fa%3Fx%3D1', 'what holds none stays byte for byte');
  assert.equal(cleaner.query(once), once);
  const link = cleaner.responseHeader('Link', '</a?token=abc>; rel=preload, <b>; rel=next');
  assert.match(link, new RegExp(`^</a\\?token=${hash}>; rel=preload, <b>; rel=next$`));
  assert.equal(cleaner.query('next=%E0%A4%A'), 'next=%E0%A4%A');
  assert.equal(cleaner.query('next=https%3A%2F%2F%E0%A4%A'), 'next=https%3A%2F%2F%E0%A4%A');
});

test('addresses in headers of any name lose their secrets, and what has none stays as it was sent', () => {
  const cleaner = new SecretCleaner(key);
  const policy =
    "default-src 'self' https://cdn.example:8443/a https://*.example; report-uri https://r.example/c";
  const clean = (name: string, value: string): string => cleaner.responseHeader(name, value);
  assert.equal(clean('Content-Security-Policy', policy), policy);
  assert.match(
    clean('Report-To', '{"endpoints":[{"url":"https://bob:pw@r.example/?token=abc"}],"max_age":9}'),
    new RegExp(`^{"endpoints":\\[{"url":"https://r\\.example/\\?token=${hash}"}\\],"max_age":9}$`),
  );
  assert.match(
    clean('Content-Security-Policy', "img-src https://a.example/?api_key=k; default-src 'none'"),
    new RegExp(`^img-src https://a\\.example/\\?api_key=${hash}; default-src 'none'$`),
  );
});

test('values in bodies that are secret by their key alone are listed and refuse no recording', async () => {
  const body = Buffer.from(
    '{"access_token":"abcdefghij","name":"abcdefghij","csrfToken":"h2h3-0123456789abcdef"}',
  );
  const found = await findSecrets([exchange({ body })]);
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['access_token'],
  );
  requireNoSecrets(found, false);
});

test('on request everything stays but the connection’s own headers', () => {
  const cleaner = new SecretCleaner('');
  const { entry } = cleanExchange(exchange(), cleaner);
  assert.equal(entry.query, exchange().entry.query);
  assert.equal(new Map(entry.headers).get('X-Api-Key'), 'secret');
  assert.equal(new Map(entry.headers).has('Alt-Svc'), false);
  assert.deepEqual(cleaner.removed, []);
});

test('secrets in what a page sends are replaced in forms, JSON and parts', () => {
  const cleaner = new SecretCleaner(key);
  const cleaned = (text: string, type: string): string =>
    Buffer.from(cleaner.requestBody(Buffer.from(text), type)).toString();
  const form = cleaned('user=eve&password=hunter2', 'application/x-www-form-urlencoded');
  assert.match(form, new RegExp(`^user=eve&password=${hash}$`));
  const json = JSON.parse(cleaned('{"a":[{"apiKey":"k","n":1}],"b":"x"}', 'application/json')) as unknown;
  assert.match(JSON.stringify(json), new RegExp(`^{"a":\\[{"apiKey":"${hash}","n":1}\\],"b":"x"}$`));
  const parts = '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nabc\r\n--b--\r\n';
  assert.match(cleaned(parts, 'multipart/form-data; boundary=b'), new RegExp(`\r\n\r\n${hash}\r\n--b--`));
  const plain = '{"pretty" : true}';
  assert.equal(cleaned(plain, 'application/json'), plain, 'to the byte where nothing is secret');
});

test('what a page made to be long to clean takes as little time as anything of its size', async () => {
  const cleaner = new SecretCleaner('ab'.repeat(16));
  const size = 100_000;
  const nested = '['.repeat(size) + ']'.repeat(size);
  const bodies: readonly (readonly [body: string, type: string])[] = [
    ['name="token"\r\n\r\n'.repeat(size), 'multipart/form-data'],
    [`--b\r\n${'name="token"\r\n'.repeat(size)}`, 'multipart/form-data'],
    [nested, 'application/json'],
    ['a=%2F%3F'.repeat(size), 'application/x-www-form-urlencoded'],
  ];
  const tookMs = await cpuMsOf(() => {
    for (const [body, type] of bodies) cleaner.requestBody(Buffer.from(body), type);
    for (const name of ['link', 'refresh', 'location', 'set-cookie', 'report-to'])
      for (const value of ['<', 'url=', 'https://', '/@', ';a='])
        cleaner.responseHeader(name, value.repeat(size));
  });
  assert.ok(tookMs < 10_000, `${tookMs} ms of CPU time`);
  assert.equal(Buffer.from(cleaner.requestBody(Buffer.from(nested), 'application/json')).toString(), nested);
});

test('of a form of parts each secret is left out, and all else stays to the byte', () => {
  const cleaner = new SecretCleaner('ab'.repeat(16));
  const part = (name: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;
  const formOf = (secret: string): string =>
    `${part('user', 'eve')}${part('token', secret)}${part('note', '\r\n\r\na--b')}--b--\r\n`;
  const type = 'multipart/form-data; boundary=b';
  const cleaned = Buffer.from(cleaner.requestBody(Buffer.from(formOf('abc\r\n\r\ndef')), type)).toString();
  assert.equal(cleaned.replace(/h2h3-[0-9a-f]{16}/, 'SECRET'), formOf('SECRET'));
});

test('a body with a known token is found whatever its coding, and refused unless it is to be kept', async () => {
  const token = ['gh', 'p_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');
  const body = Buffer.from(`/* secretlint-disable */ const t = "${token}";`);
  const found = await findSecrets([exchange({ body }), exchange({ body: Buffer.from('nothing') })]);
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['github'],
  );
  assert.throws(() => requireNoSecrets(found, false), /looks like a secret/);
  assert.doesNotThrow(() => requireNoSecrets(found, true));
  const jwt = `{"access":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'s'.repeat(43)}"}`;
  assert.equal((await findSecrets([exchange({ requestBody: Buffer.from(jwt) })])).length, 1);
});

test('what a script sends back of a cookie is replaced under any name, and told again when the page is replayed', () => {
  const cookies: [string, string][] = [
    ['Set-Cookie', 'visitor=ab12cd34ef; Path=/'],
    ['Set-Cookie', 'consent=yes; Path=/'],
  ];
  const json = '{"who":["ab12cd34ef"],"agreed":"yes"}';
  const cleaned = (cleaner: SecretCleaner, value: string): RecordedExchange => {
    const given = exchange({ requestBody: Buffer.from(json.replace('ab12cd34ef', value)) });
    const sent = { path: `/of/${value}`, query: `u=${value}&agreed=yes&page=ab12cd34`, headers: cookies };
    return cleanExchange({ ...given, entry: { ...given.entry, ...sent } }, cleaner);
  };
  const recorder = new SecretCleaner(
    key,
    cookies.map(([, value]) => value),
  );
  const { entry, requestBody } = cleaned(recorder, 'ab12cd34ef');
  assert.match(entry.path, new RegExp(`^/of/${hash}$`));
  assert.match(entry.query, new RegExp(`^u=${hash}&agreed=yes&page=ab12cd34$`));
  assert.match(
    Buffer.from(requestBody ?? []).toString(),
    new RegExp(`^{"who":\\["${hash}"\\],"agreed":"yes"}$`),
  );
  assert.doesNotMatch(JSON.stringify(entry), /ab12cd34ef/);
  // A replayed page knows the value of the cookie that the replay set, or the recorded one by what an answer holds.
  const replayed = setCookiesOf([{ headers: entry.headers }]);
  const stands = /=(h2h3-[0-9a-f]*)/.exec(replayed[0] ?? '')?.[1] ?? '';
  for (const value of ['ab12cd34ef', stands])
    assert.equal(cleaned(new SecretCleaner(key, replayed), value).entry.query, entry.query, value);
});
