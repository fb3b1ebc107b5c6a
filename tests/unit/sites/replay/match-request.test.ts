import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveEntrySchema, type ArchiveEntry } from '../../../../sites/archive/archive-index.ts';
import { SecretCleaner } from '../../../../sites/archive/secrets.ts';
import { sha256 } from '../../../../sites/archive/write-archive.ts';
import { RequestMatcher, type Match, type RequestToMatch } from '../../../../sites/replay/match-request.ts';

const asked = { host: 'a.example', path: '/x', range: '', requestBody: null };

function entry(query: string, changes: Partial<ArchiveEntry> = {}): ArchiveEntry {
  return archiveEntrySchema.parse({
    ...asked,
    method: 'GET',
    query,
    status: 200,
    headers: [],
    body: null,
    bodyBytes: 0,
    startMs: 0,
    waitMs: 0,
    ...changes,
  });
}

function wanted(
  query: string,
  changes: Partial<RequestToMatch> = {},
  headers: Readonly<Record<string, string>> = {},
): RequestToMatch {
  return {
    method: 'GET',
    ...asked,
    port: 443,
    query,
    hasBareQuery: false,
    body: null,
    header: (name) => headers[name] ?? '',
    ...changes,
  };
}

/** A request that sends `text`, and the entry of one that was recorded. */
function sending(text: string, type = 'application/json'): { request: RequestToMatch; entry: ArchiveEntry } {
  const body = Buffer.from(text);
  const requestBody = sha256(body);
  return {
    request: wanted('', { method: 'POST', body, requestBody }, { 'content-type': type }),
    entry: entry('', { method: 'POST', requestBody, requestType: type, body: requestBody }),
  };
}

/** A matcher that knows the bodies of these. */
function matcherOf(sent: readonly string[], type?: string): RequestMatcher {
  const bodies = new Map(sent.map((text) => [sha256(Buffer.from(text)), Buffer.from(text)]));
  return new RequestMatcher(
    sent.map((text) => sending(text, type).entry),
    ({ requestBody }) => bodies.get(requestBody ?? '') ?? null,
  );
}

const bodyNamed = (name: string): string => sha256(Buffer.from(name));

test('the only request that differs in what a script may have made up is a guess, of several with other answers none', () => {
  const found = (recorded: readonly string[], asked: string): string | undefined =>
    new RequestMatcher(recorded.map((query, at) => entry(query, { body: bodyNamed(`${at}`) }))).match(
      wanted(asked),
    )?.kind;
  assert.equal(found(['x=x7k2m9qp4t'], 'x=b81zz0aa3'), 'overlap');
  assert.equal(found(['x=296755948'], 'x=1296755'), undefined, 'shorter than what chance gives');
  assert.equal(found(['x=x7k2m9qp4t'], 'y=b81zz0aa3'), undefined);
  assert.equal(found(['q=harbour'], 'q=mountain'), undefined, 'words say what is asked for');
  assert.equal(found(['x=x7k2m9qp4t', 'x=c5c5c5c5c5'], 'x=b81zz0aa3'), undefined);
  const post = sending('{"id":"0.x7k2m9qp4t"}');
  const matcher = matcherOf(['{"id":"0.x7k2m9qp4t"}']);
  assert.equal(matcher.match(post.request)?.kind, 'exact');
  assert.equal(matcher.match(sending('{"id":"0.b81zz0aa3"}').request)?.kind, 'overlap');
  assert.equal(matcher.match(sending('{"operationName":"b81zz0aa3"}').request), null);
});

test('a path that a script made up is a guess where one such path was recorded; of scripts and pictures the name counts', () => {
  const ofPath = (path: string): RequestToMatch => wanted('', { path }, { 'sec-fetch-dest': 'empty' });
  const first = entry('', { path: '/of/1700000000000.json', body: bodyNamed('a') });
  const matcher = new RequestMatcher([
    first,
    entry('', { path: '/of/3f2b8c1d-9e4a-4b7c-8d21-5a6f7e8d9c0b' }),
  ]);
  assert.equal(matcher.match(ofPath('/of/1800000000009.json'))?.entry.body, bodyNamed('a'));
  assert.equal(matcher.match(ofPath('/of/0b0b8c1d-9e4a-4b7c-8d21-5a6f7e8d9c0b'))?.kind, 'overlap');
  assert.equal(matcher.match(ofPath('/of/list.json')), null);
  assert.equal(
    matcher.match(wanted('', { path: '/of/1800000000009.json' }, { 'sec-fetch-dest': 'image' })),
    null,
  );
  const two = new RequestMatcher([
    first,
    entry('', { path: '/of/1700000000001.json', body: bodyNamed('b') }),
  ]);
  assert.equal(two.match(ofPath('/of/1800000000009.json')), null);
});

test('where a file has the type of what was sent and not the body, its answers are guesses in their order', () => {
  const sent = (body: string): ArchiveEntry =>
    entry('', { method: 'POST', requestType: 'application/octet-stream', body: bodyNamed(body) });
  const matcher = new RequestMatcher([sent('a'), sent('b')]);
  const { request } = sending('any');
  const found = [matcher.match(request), matcher.match(request)];
  assert.deepEqual(
    found.map((match) => [match?.entry.body, match?.kind]),
    [
      [bodyNamed('a'), 'overlap'],
      [bodyNamed('b'), 'overlap'],
    ],
  );
  assert.equal(new RequestMatcher([entry('', { method: 'POST' })]).match(request), null);
});

test('a date that its page escaped is a time as well', () => {
  const matcher = new RequestMatcher([entry('from=2026-01-01T10%3A20%3A30.000Z')]);
  assert.equal(matcher.match(wanted('from=2027-05-06T07%3A08%3A09.123Z'))?.kind, 'volatile-query');
  assert.equal(matcher.match(wanted('from=here')), null);
});

test('the name of a function to call back by is another in each load', () => {
  const matcher = new RequestMatcher([entry('callback=jq351_x9&q=1'), entry('callback=jq352_x9&q=2')]);
  const match = matcher.match(wanted('callback=own.done&q=2'));
  assert.deepEqual([match?.kind, match?.entry.query], ['volatile-query', 'callback=jq352_x9&q=2']);
});

test('the closest answer wins: exact, then order, then volatile keys, then overlap', () => {
  const matcher = new RequestMatcher([
    entry('a=1&b=2'),
    entry('b=2&a=1'),
    entry('user=7&_=1700000000000'),
    entry('k=1&l=2&m=3'),
  ]);
  const found = (query: string): [string | undefined, string | undefined] => {
    const match = matcher.match(wanted(query));
    return [match?.entry.query, match?.kind];
  };
  assert.deepEqual(found('b=2&a=1'), ['b=2&a=1', 'exact']);
  assert.deepEqual(found('l=2&m=3&k=1'), ['k=1&l=2&m=3', 'same-query']);
  assert.deepEqual(found('user=7&_=1800000000000'), ['user=7&_=1700000000000', 'volatile-query']);
  assert.deepEqual(found('k=1&l=2&m=9'), ['k=1&l=2&m=3', 'overlap']);
  assert.deepEqual(found('k=9&l=9&m=9'), [undefined, undefined]);
});

test('a time alone is as volatile as one with a name', () => {
  const matcher = new RequestMatcher([entry('1700000000000'), entry('page-2')]);
  assert.equal(matcher.match(wanted('1800000000000'))?.kind, 'volatile-query');
  assert.equal(matcher.match(wanted('page-3')), null);
});

test('a token that was taken out without a key matches any', () => {
  const matcher = new RequestMatcher([entry('page=1&access_token=removed')]);
  assert.equal(matcher.match(wanted('page=1&access_token=abc'))?.kind, 'volatile-query');
  assert.equal(matcher.match(wanted('page=2&access_token=abc')), null);
});

test('two users stay two: a third one’s token is answered by a guess that says so', () => {
  const cleaner = new SecretCleaner('00ff');
  const matcher = new RequestMatcher([
    entry(cleaner.query('key=alice'), { body: '1'.repeat(64) }),
    entry(cleaner.query('key=bob'), { body: '2'.repeat(64) }),
  ]);
  const of = (key: string): unknown => matcher.match(wanted(cleaner.query(`key=${key}`)));
  assert.deepEqual((of('alice') as Match).entry.body?.[0], '1');
  assert.deepEqual((of('bob') as Match).entry.body?.[0], '2');
  assert.equal((of('carol') as Match).kind, 'overlap');
});

test('another host, path, method, port or range has no answer', () => {
  const matcher = new RequestMatcher([entry('a=1'), entry('b=1', { port: 8443 })]);
  for (const changes of [
    { host: 'b.example' },
    { path: '/y' },
    { method: 'POST' },
    { method: 'HEAD' },
    { port: 8443 },
    { range: 'bytes=0-1' },
  ]) {
    assert.equal(matcher.match(wanted('a=1', changes)), null, JSON.stringify(changes));
  }
  const onePort = new RequestMatcher([entry('a=1', { port: 8443 })]);
  assert.equal(onePort.match(wanted('a=1', { port: 9000 }))?.kind, 'exact', 'served elsewhere');
});

test('the answers of one request come in their order, and one after the last says so', () => {
  const states = ['pending', 'pending', 'done'].map((state, at) =>
    entry('', { startMs: at, body: sha256(Buffer.from(state)) }),
  );
  const matcher = new RequestMatcher(states);
  const ask = (): [boolean, string | undefined] => {
    const match = matcher.match(wanted(''));
    return [match?.entry.body === states[2]?.body, match?.kind];
  };
  assert.deepEqual(
    [ask(), ask(), ask()],
    [
      [false, 'exact'],
      [false, 'exact'],
      [true, 'exact'],
    ],
  );
  assert.deepEqual(ask(), [true, 'after-last']);
  matcher.restart();
  assert.deepEqual(ask(), [false, 'exact'], 'a new load begins anew');
});

test('a load has the answers of the first recorded load only', () => {
  const matcher = new RequestMatcher([
    entry('', { status: 201 }),
    entry('', { visit: 1, status: 202, startMs: 9 }),
  ]);
  assert.deepEqual(
    [1, 2].map(() => matcher.match(wanted(''))?.entry.status),
    [201, 201],
  );
});

test('headers that Vary names choose the answer; a browser’s own may differ, and others make it a guess', () => {
  const german = entry('', { vary: { 'accept-language': 'de' }, status: 201 });
  const english = entry('', { vary: { 'accept-language': 'en' }, status: 202 });
  const matcher = new RequestMatcher([german, english]);
  const found = (headers: Record<string, string>): unknown => {
    const match = matcher.match(wanted('', {}, headers));
    return [match?.entry.status, match?.kind];
  };
  assert.deepEqual(found({ 'accept-language': 'en' }), [202, 'exact']);
  assert.deepEqual(found({ 'accept-language': 'fr' }), [201, 'other-browser']);
  const users = new RequestMatcher([entry('', { vary: { 'x-user': 'alice' } })]);
  assert.equal(users.match(wanted('', {}, { 'x-user': 'bob' }))?.kind, 'other-headers');
});

test('a cookie that a script makes at random is no guess where one variant was recorded, and one where there are more', () => {
  const random = entry('', { vary: { cookie: 'sid=0.1234' }, status: 201 });
  const other = entry('', { vary: { cookie: 'sid=0.5678' }, status: 202 });
  const kindOf = (entries: ArchiveEntry[]): unknown =>
    new RequestMatcher(entries).match(wanted('', {}, { cookie: 'sid=0.9999' }))?.kind;
  assert.equal(kindOf([random]), 'other-browser');
  assert.equal(kindOf([random, other]), 'other-headers');
});

test('operations of one interface are told apart by their bodies, and never stand in for each other', () => {
  const operation = (name: string, id: number, at: number): string =>
    JSON.stringify({ operationName: name, query: `query ${name} { x }`, variables: { id, timestamp: at } });
  const recorded = ['Cart', 'User', 'Menu'].map((name, id) => operation(name, id, 1_700_000_000_000));
  const matcher = matcherOf(recorded);
  const found = (text: string): Match | null => matcher.match(sending(text).request);
  for (const text of recorded) assert.equal(found(text)?.kind, 'exact');
  const later = found(operation('User', 1, 1_800_000_000_000));
  assert.deepEqual(
    [later?.kind, later?.entry.body],
    ['volatile-query', sending(recorded[1] ?? '').entry.body],
  );
  assert.equal(found(operation('User', 7, 1_800_000_000_000))?.kind, 'overlap', 'another user');
  assert.equal(found(operation('Other', 0, 1_700_000_000_000)), null, 'an operation that was not recorded');
});

test('forms, parts and words are compared by what they hold', () => {
  const form = 'application/x-www-form-urlencoded';
  const byForm = matcherOf(['page=1&sort=up&rand=0.12345678', 'page=2&sort=up&rand=0.12345678'], form);
  const page = byForm.match(sending('page=2&sort=up&rand=0.87654321', form).request);
  assert.deepEqual(
    [page?.kind, page?.entry.requestBody],
    ['volatile-query', sha256(Buffer.from('page=2&sort=up&rand=0.12345678'))],
  );
  const parts = (boundary: string, name: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="who"\r\n\r\n${name}\r\n--${boundary}--\r\n`;
  const eve = parts('one', 'eve');
  const adam = parts('one', 'adam');
  const byPart = matcherOf([eve, adam], 'multipart/form-data; boundary=one');
  const upload = byPart.match(sending(parts('two', 'adam'), 'multipart/form-data; boundary=two').request);
  assert.deepEqual([upload?.kind, upload?.entry.requestBody], ['exact', sha256(Buffer.from(adam))]);
});

test('what was recorded over plain http is answered over TLS where nothing else is', () => {
  const plain = entry('', { scheme: 'http', port: 80, status: 201 });
  assert.equal(new RequestMatcher([plain]).match(wanted(''))?.entry.status, 201);
  assert.equal(new RequestMatcher([plain, entry('', { status: 202 })]).match(wanted(''))?.entry.status, 202);
});

test('an address with a bare question mark has an answer of its own, and that of the other where none was told apart', () => {
  const both = new RequestMatcher([
    entry('', { body: bodyNamed('plain') }),
    entry('', { bareQuery: true, body: bodyNamed('bare') }),
  ]);
  for (const [hasBareQuery, name] of [
    [true, 'bare'],
    [false, 'plain'],
  ] as const) {
    const found = both.match(wanted('', { hasBareQuery }));
    assert.deepEqual([found?.kind, found?.entry.body], ['exact', bodyNamed(name)]);
  }
  const ofBefore = new RequestMatcher([entry('', { body: bodyNamed('only') })]);
  assert.equal(ofBefore.match(wanted('', { hasBareQuery: true }))?.kind, 'exact');
});
