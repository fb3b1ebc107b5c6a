import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { probes } from '../../harness/probes/registry.ts';
import { readHar } from '../../src/store/evidence.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { lightBrowser, readRecords, runCli, runCliHere, startCli, type CliResult } from '../support/cli.ts';
import { watchCommandLines } from '../support/command-lines.ts';
import { startGuardedSite, type Answer, type GuardedSite } from '../support/guarded-site.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';
import { startTinyApp } from '../support/tiny-app.ts';
import { startValkey, noValkeyReason } from '../support/valkey.ts';

/** Everything that opens something, and what the site sets. */
const secrets = {
  OWN_PASS: 'pass-2e90c1d7',
  OWN_WORD: 'wörd&44d1c0de/b7a9',
  OWN_SESSION: 'session-c41b6a02',
  OWN_TYPED: 'typed-51c2e8d0',
  QUEUE_WORD: 'queue/77aa1:b',
  H2H3_WORKERS_KEY: 'f3a1'.repeat(16),
} as const;
const setBySite = 'set-by-the-site-99';

const forms = Object.values(secrets).flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('latin1'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(encodeURIComponent(secret)),
]);
const wanted = [...forms, Buffer.from(`me:${secrets.OWN_WORD}`).toString('base64'), setBySite];
// Files are read byte by byte.
const searchedFor = [
  ...new Set([...wanted, ...wanted.map((secret) => Buffer.from(secret).toString('latin1'))]),
];

function requireNone(texts: Iterable<string>, where: string): void {
  const held = [...texts].flatMap((text) => searchedFor.filter((secret) => text.includes(secret)));
  assert.deepEqual([...new Set(held)], [], where);
}

/** Says what it was told wherever a page can: title, address, log, an address that leads on, a field. */
const echo: Answer = (request, response) => {
  // An answer before the end of what is posted may break the connection to the server in front.
  request.resume().once('end', () => answer(request, response));
};

function answer({ headers, url = '' }: Parameters<Answer>[0], response: Parameters<Answer>[1]): void {
  const pass = headers['x-pass'];
  const isOther = pass !== undefined && pass !== secrets.OWN_PASS;
  if (isOther || headers.cookie?.includes(secrets.OWN_SESSION) !== true)
    return void response.writeHead(401).end();
  const set = { 'set-cookie': `fresh=${setBySite}; Secure; HttpOnly`, 'x-echo': secrets.OWN_PASS };
  const asked = encodeURIComponent(secrets.OWN_WORD);
  if (url.startsWith('/led'))
    return void response.writeHead(302, { location: `/told?word=${asked}`, ...set }).end();
  response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'text/plain', ...set });
  if (url !== '/') return void response.end(secrets.OWN_WORD);
  response.end(`<!doctype html><link rel=icon href="data:,"><title>${secrets.OWN_PASS}</title>
<input id=field value="${secrets.OWN_SESSION}"><script>
localStorage.told = '${secrets.OWN_SESSION}';
performance.mark('${secrets.OWN_PASS}');
console.log('${secrets.OWN_WORD}');
fetch('/led?pass=${secrets.OWN_PASS}').then((answer) => answer.text()).then((text) => { document.body.append(text); });
fetch('/posted', { method: 'POST', body: '${secrets.OWN_WORD}' });
</script>`);
}

interface Searched extends GuardedSite {
  readonly folder: string;
  /** Runs it, and searches what it leaves at `out`, on the terminal and in the list of processes. */
  readonly run: (client: string, flags: readonly string[], out: string) => Promise<Said>;
  /** The same of what is refused before anything begins. */
  readonly refused: Searched['run'];
}

type Said = Pick<CliResult, 'code' | 'stdout' | 'stderr'>;

async function searched(t: TestContext): Promise<Searched> {
  const site = await startGuardedSite(t, echo);
  const folder = tempFolder(t);
  const lines = watchCommandLines(t);
  const searchedAfter =
    (carryOut: (args: readonly string[], variables: Readonly<Record<string, string>>) => Promise<Said>) =>
    async (client: string, flags: readonly string[], out: string): Promise<Said> => {
      const args = ['run', ...site.visitedBy(client), '--repetitions', '1', '--exploratory', '--out', out];
      const result = await carryOut([...args, ...opened, ...flags], { ...secrets, NODE_DEBUG: 'h2h3:*' });
      requireNone([result.stdout, result.stderr], 'the terminal');
      requireNone(lines, 'the list of processes');
      if (existsSync(out)) requireNone(textsBelow(out), `${client} ${flags.join(' ')}`);
      return result;
    };
  return { ...site, folder, run: searchedAfter(runCli), refused: searchedAfter(runCliHere) };
}

const probeFlags = (ids: readonly string[]): string[] => ids.flatMap((id) => ['--probe', id]);

const opened = [
  '--header',
  'X-Pass: ${OWN_PASS}',
  '--cookie',
  'sid=${OWN_SESSION}',
  '--basic-auth',
  'me:${OWN_WORD}',
];

for (const client of ['best', 'firefox'])
  test(
    `no file, no terminal and no list of processes has a secret of what ${client} opens, with every probe that is taken`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const { run, refused, folder } = await searched(t);
      const keeping = probes.filter(({ keepsTraffic }) => keepsTraffic === true).map(({ id }) => id);
      const among = new RegExp(`${keeping.join(', ')} would keep the secrets that --header gives`);
      const refusals: readonly (readonly [readonly string[], RegExp])[] = [
        [keeping, among],
        [['lighthouse'], /cannot log in/],
      ];
      for (const [ids, says] of refusals) {
        const place = join(folder, 'refused');
        const { code, stderr } = await refused(client, probeFlags(ids), place);
        assert.deepEqual([code, existsSync(place)], [2, false], `${ids.join()}: ${stderr}`);
        assert.match(stderr, says);
      }
      const unable = refusals.flatMap(([ids]) => ids);
      const taken = probeFlags(probes.map(({ id }) => id).filter((id) => !unable.includes(id)));
      const out = join(folder, 'run');
      const { code, stderr } = await run(client, [...taken, '--quick-start'], out);
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        readRecords(out).map(({ status }) => status),
        ['ok', 'ok', 'ok', 'ok'],
      );
    },
  );

/** A page that puts what it was given into addresses, in every form that pages have for them, and wherever else it can. */
function tellingPage({ headers }: IncomingMessage): string {
  const pass = String(headers['x-pass']);
  return `<!doctype html><link rel=icon href="data:,"><title>${pass}</title><body><script>
const word = ${JSON.stringify(secrets.OWN_WORD)};
const session = ${JSON.stringify(secrets.OWN_SESSION)};
const bytes = new TextEncoder().encode(word);
const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const asked = [
  '/raw?t=${pass}',
  '/query?t=' + encodeURIComponent(word) + '&u=1',
  '/form?' + new URLSearchParams({ t: word }),
  '/path/' + encodeURIComponent(word) + '/end',
  '/twice?to=' + encodeURIComponent('/query?t=' + encodeURIComponent(word)),
  '/base64/' + base64(word),
  '/shifted/' + base64('u:' + session) + base64('us:' + word).replaceAll('+', '-').replaceAll('/', '_'),
  '/hex/' + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  '/json?j=' + encodeURIComponent(JSON.stringify({ word, session })),
  '/session/' + session,
  '/led?t=' + encodeURIComponent(session),
];
for (const address of asked) fetch(address);
console.log(word, base64(word));
performance.mark(word);
setTimeout(() => { throw new Error(word + ' ' + session); }, 30);
</script>`;
}

for (const client of ['best', 'firefox'])
  test(
    `secrets in addresses that an app has ${client} ask for make no trial invalid, and stand in no file in any form`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const app = await startTinyApp(t, {
        '*': (request, response) => {
          const { url = '' } = request;
          response.setHeader('server', `app ${secrets.OWN_PASS}`);
          response.setHeader('set-cookie', `told=${encodeURIComponent(secrets.OWN_WORD)}; Path=/`);
          if (url === '/')
            return void response.writeHead(200, { 'content-type': 'text/html' }).end(tellingPage(request));
          if (url.startsWith('/led'))
            return void response.writeHead(302, { location: url.replace('/led', '/told') }).end();
          response.writeHead(200, { 'content-type': 'text/plain' }).end(url);
        },
      });
      const folder = tempFolder(t);
      const out = join(folder, 'run');
      const short = ['--repetitions', '1', '--exploratory', '--quick-start', '--probe', 'qlog', '--out', out];
      const { code, stdout, stderr } = await runCli(
        ['run', '--app', `${app.origin}/`, '--client', client, ...opened, ...short],
        { ...secrets },
      );
      assert.equal(code, 0, stderr);
      const records = readRecords(out);
      assert.deepEqual(
        records.map(({ status, reason }) => [status, reason]),
        Array.from({ length: 4 }, () => ['ok', undefined]),
      );
      const texts = textsBelow(out);
      requireNone([stdout, stderr, ...texts], client);
      // Of so many digits that no digest or connection ID has them by chance: of four, one had.
      const part = /2e90c1d7|44d1c0de|c41b6a02/i;
      const held = texts.flatMap((text) => {
        const at = text.search(part);
        return at === -1 ? [] : text.slice(Math.max(0, at - 40), at + 50);
      });
      assert.deepEqual(held, [], 'not even a part of one');
      for (const { artifacts, arm, instrumentation } of records) {
        const har = readHar(dirname(join(out, String(artifacts['har']))));
        const addresses = har?.log.entries.map(({ request }) => new URL(request.url)) ?? [];
        // The page names no encoding: Chromium guesses one by its letters, and garbles those beyond ASCII.
        for (const path of [
          /^\/path\/(?:w[%\w]+)?\(left-out-by-h2h3\)\/end$/,
          /^\/session\/\(left-out-by-h2h3\)$/,
        ])
          assert.ok(
            addresses.some(({ pathname }) => path.test(pathname)),
            `${arm} ${instrumentation}: ${path} among ${addresses.join(' ')}`,
          );
      }
      const pack = (name: string): Promise<Said> =>
        runCliHere(['pack', out, '--for-reading', '--out', join(folder, name)], { ...secrets });
      const packed = await pack('whole.zip');
      assert.equal(packed.code, 0, packed.stderr);
      writeFileSync(join(out, 'report.md'), `and ${btoa(`me:${secrets.OWN_PASS}`)}`);
      const refused = await pack('told.zip');
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, /report\.md \(.*OWN_PASS.*\)/);
      requireNone([refused.stderr], 'the terminal');
    },
  );

test('a script that reads variables, types them, names its steps after them and throws them leaves none of them', async (t) => {
  const { run, folder } = await searched(t);
  const script = join(folder, 'journey.ts');
  const journey = (end: string): void =>
    writeFileSync(
      script,
      `export default async ({ page, url, step, secret }) => {
  await step('open ' + secret('OWN_PASS'), () => page.goto(url));
  await step('type', async () => { await page.type('#field', process.env.OWN_TYPED); ${end} });
};`,
    );
  journey(
    "await page.evaluate((text) => fetch('/told?typed=' + text).then((one) => one.text()), process.env.OWN_TYPED);",
  );
  // What a journey writes is the same over either protocol, as what fails is.
  const whole = await run(
    'best',
    ['--script', script, '--arms', 'h3', '--quick-start'],
    join(folder, 'whole'),
  );
  assert.equal(whole.code, 0, whole.stderr);
  journey('throw new Error(`no such account: ${process.env.OWN_TYPED}, ${process.env.OWN_PASS}`);');
  // It fails in its warm-up.
  const failed = await run('best', ['--script', script, '--arms', 'h3'], join(folder, 'failed'));
  assert.notEqual(failed.code, 0);
  assert.match(failed.stderr, /no such account: \(left-out-by-h2h3\), \(left-out-by-h2h3\)/);
  writeFileSync(
    script,
    `export default async ({ page }) => {
  const text = ['made-of-parts', '9f31c2'].join('-');
  await page.setContent('<input>');
  await page.type('input', text);
  throw new Error('none: ' + process.env.OWN_TYPED + ', typed: ' + text);
};`,
  );
  const { stderr } = await run('best', ['--login', script], join(folder, 'login'));
  assert.match(stderr, /log-in script .* failed: none: \(left-out-by-h2h3\), typed: \(left-out-by-h2h3\)/);
});

test('a server command that dies says its last lines without what it knows', async (t) => {
  const { folder } = await searched(t);
  // Its last lines begin within the key.
  const key = Array.from({ length: 30 }, (_, line) => `pem-7d3f-line-${line}`);
  const command =
    'printenv H2H3_WORKERS_KEY DB_PASSWORD; printf "%s\\n" "$PRIVATE_KEY" "the word is $OWN_TYPED" >&2; exit 7';
  const { code, stdout, stderr } = await runCli(
    [
      'run',
      '--url',
      'https://localhost:1/',
      '--server-command',
      command,
      '--repetitions',
      '1',
      '--exploratory',
      '--quick-start',
      '--out',
      join(folder, 'run'),
      '--header',
      'X: ${OWN_PASS}',
    ],
    {
      OWN_PASS: secrets.OWN_PASS,
      OWN_TYPED: secrets.OWN_TYPED,
      DB_PASSWORD: secrets.OWN_WORD,
      PRIVATE_KEY: key.join('\n'),
      H2H3_WORKERS_KEY: secrets.H2H3_WORKERS_KEY,
    },
  );
  assert.ok(!stderr.includes('pem-7d3f'), stderr);
  assert.notEqual(code, 0);
  assert.match(stderr, /the word is \(left-out-by-h2h3\)/);
  requireNone([stdout, stderr], 'the terminal');
});

test(
  'queue, results, run folder, terminals and lists of processes of coordinator and worker have no secret',
  { skip: await noValkeyReason() },
  async (t) => {
    const site = await startGuardedSite(t, echo);
    const folder = tempFolder(t);
    const [data, shared, out] = ['valkey', 'shared', 'run'].map((name) => join(folder, name));
    assert.ok(data !== undefined && shared !== undefined && out !== undefined);
    mkdirSync(data);
    const { port } = await startValkey(t, data, { user: 'lab', password: secrets.QUEUE_WORD });
    const lines = watchCommandLines(t);
    const place = ['redis://lab:${QUEUE_WORD}@127.0.0.1:' + port, '--results', shared];
    // The queue and the worker know no protocol.
    const plan = [
      ...lightBrowser,
      '--arms',
      'h3',
      '--url',
      site.url,
      '--ca',
      site.certificateFile,
      ...site.connectTo,
    ];
    const worker = startCli(['worker', ...place, '--host', 'lab-1', '--trust-all'], secrets);
    const run = [
      'run',
      ...plan,
      ...opened,
      '--repetitions',
      '1',
      '--exploratory',
      '--quick-start',
      '--out',
      out,
      '--spare-blocks',
      '0',
    ];
    const coordinating = startCli([...run, '--workers', ...place], secrets);
    const worked = await worker.result;
    // A coordinator waits for another worker where one has failed.
    if (worked.code !== 0) coordinating.child.kill('SIGINT');
    const coordinator = await coordinating.result;
    assert.deepEqual([coordinator.code, worked.code], [0, 0], `${coordinator.stderr}\n${worked.stderr}`);
    assert.deepEqual(
      readRecords(out).map(({ status }) => status),
      ['ok', 'ok'],
    );
    for (const { stdout, stderr } of [coordinator, worked]) requireNone([stdout, stderr], 'the terminal');
    requireNone(lines, 'the list of processes');
    requireNone([...textsBelow(out), ...textsBelow(shared)], 'run folder and results');
    const queue = textsBelow(join(data, 'appendonlydir'));
    assert.ok(queue.join('\n').includes('h2h3:runs'), 'what the queue kept was searched');
    requireNone(queue, 'the queue');
  },
);
