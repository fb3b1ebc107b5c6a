import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { skipsWithout } from '../support/clients-here.ts';
import { readRecords, runCli, runCliHere } from '../support/cli.ts';
import { startGuardedSite, type Answer } from '../support/guarded-site.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';

const secrets = {
  pass: 'pass-8c1f6e20',
  login: 'me:word-44d1b7a9',
  session: 'session-0f93ab77',
  saved: 'saved-cookie-51c2',
  stored: 'stored-text-77aa1',
};

/** 1×1 transparent GIF: Firefox gives up an image that is none. */
const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A page behind everything at once: a header, HTTP's own log-in, two cookies; it tells what its local storage holds. */
const guarded: Answer = (request, response, third) => {
  const { headers, url = '' } = request;
  if (headers.host?.startsWith('third.') === true)
    return void response.writeHead(200, { 'content-type': 'image/gif' }).end(dot);
  if (url === '/away.gif') return void response.writeHead(302, { location: `${third}/landed.gif` }).end();
  const isKnown =
    headers['x-pass'] === `Pass ${secrets.pass}` &&
    headers.authorization === `Basic ${btoa(secrets.login)}` &&
    headers.cookie?.includes(`sid=${secrets.session}`) === true &&
    headers.cookie.includes(`saved=${secrets.saved}`);
  if (!isKnown) return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end('no');
  if (url.startsWith('/told')) return void response.writeHead(200).end('heard');
  response.writeHead(200, {
    'content-type': 'text/html',
    'set-cookie': 'fresh=set-by-the-site-99; Secure; HttpOnly',
  });
  response.end(`<!doctype html><link rel=icon href="data:,"><title>in</title>
<img src="${third}/dot.gif"><img src="/away.gif">
<meta name=viewport content="width=device-width">
<script>fetch('/told?' + [localStorage.getItem('key') === '${secrets.stored}', innerWidth < 500,
  matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(prefers-reduced-motion: reduce)').matches]).then((answer) => answer.text());</script>`);
};

for (const client of ['best', 'firefox'])
  test(
    `${client} gets into a guarded page, and what let it in is written nowhere and told to nobody else`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const site = await startGuardedSite(t, guarded);
      const folder = tempFolder(t);
      const out = join(folder, 'run');
      writeFileSync(join(folder, 'login'), `${secrets.login}\n`);
      const state = {
        cookies: [
          { name: 'saved', value: secrets.saved, domain: 'localhost', path: '/', expires: -1, secure: true },
        ],
        origins: [
          { origin: new URL(site.url).origin, localStorage: [{ name: 'key', value: secrets.stored }] },
        ],
      };
      writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
      const usual = ['run', '--client', client, '--url', site.url, '--ca', site.certificateFile];
      const { code, stderr, stdout } = await runCli(
        [
          ...usual,
          ...(client === 'firefox' ? [] : site.connectTo),
          '--repetitions',
          '1',
          '--exploratory',
          '--quick-start',
          '--out',
          out,
          '--header',
          'X-Pass: Pass ${OWN_PASS}',
          '--cookie',
          'sid=${OWN_SESSION}',
          '--basic-auth',
          `\${file:${join(folder, 'login')}}`,
          '--set',
          'prefers=color-scheme:dark/reduced-motion:reduce',
          ...(client === 'firefox' ? [] : ['--device', 'Pixel 5']),
          '--storage-state',
          join(folder, 'state.json'),
        ],
        { OWN_PASS: secrets.pass, OWN_SESSION: secrets.session },
      );
      assert.equal(code, 0, stderr);
      const records = readRecords(out);
      assert.deepEqual(
        records.map(({ arm, instrumentation, status }) => [arm, instrumentation, status]).toSorted(),
        [
          ['h2+prefers=color-scheme:dark/reduced-motion:reduce', 'instrumented', 'ok'],
          ['h2+prefers=color-scheme:dark/reduced-motion:reduce', 'uninstrumented', 'ok'],
          ['h3+prefers=color-scheme:dark/reduced-motion:reduce', 'instrumented', 'ok'],
          ['h3+prefers=color-scheme:dark/reduced-motion:reduce', 'uninstrumented', 'ok'],
        ],
      );
      const told = site.seen.filter(({ url }) => url.startsWith('/told'));
      assert.ok(
        told.length >= 2 && told.every(({ url }) => url === `/told?true,${client !== 'firefox'},true,true`),
        JSON.stringify(told),
      );
      const elsewhere = site.seen.filter(({ host }) => host.startsWith('third.'));
      const landed = elsewhere.filter(({ url }) => url === '/landed.gif');
      assert.ok(landed.length >= 2, 'the redirect to another host was followed');
      for (const { headers, url } of elsewhere)
        assert.deepEqual(
          [headers['x-pass'], headers.authorization, headers.cookie],
          [undefined, undefined, undefined],
          url,
        );
      const written = [stdout, stderr, ...textsBelow(out)].join('\n');
      const known = [...Object.values(secrets), btoa(secrets.login), 'word-44d1b7a9', 'set-by-the-site-99'];
      assert.deepEqual(
        known.filter((secret) => written.includes(secret)),
        [],
      );
      assert.ok(written.includes('${OWN_PASS}'), 'the plan names where the secret comes from');
    },
  );

test('a secret in a command line or a plan file, a variable that is not set and a log-in that is refused are each named', async (t) => {
  const site = await startGuardedSite(t, guarded);
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const usual = [
    'run',
    '--url',
    site.url,
    '--ca',
    site.certificateFile,
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ];
  const literal = await runCliHere([...usual, '--header', 'X-Pass: pass-8c1f6e20']);
  assert.equal(literal.code, 2);
  assert.match(literal.stderr, /live\.headers\.0: want the secret as \$\{NAME\}/);
  assert.ok(!literal.stderr.includes('pass-8c1f6e20'), 'the secret is not repeated');

  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, `urls: ['${site.url}']\nlive:\n  cookies: ['sid=session-0f93ab77']\n`);
  const inFile = await runCliHere(['run', plan, '--exploratory', '--quick-start', '--out', out]);
  assert.equal(inFile.code, 2);
  assert.match(inFile.stderr, /cookies.*want the secret as \$\{NAME\}/s);
  assert.ok(!inFile.stderr.includes('session-0f93ab77'), inFile.stderr);

  const unset = await runCliHere([...usual, '--cookie', 'sid=${OWN_NEVER_SET}']);
  assert.equal(unset.code, 2);
  assert.match(unset.stderr, /the variable OWN_NEVER_SET is not set/);

  const wrong = await runCliHere([...usual, '--basic-auth', 'me:${OWN_PASS}'], { OWN_PASS: 'wrong-word-1' });
  assert.equal(wrong.code, 2, wrong.stderr);
  assert.match(wrong.stderr, /requires a log-in \(status 401\), and does not take what was given/);
  assert.throws(() => readdirSync(out), 'nothing was made');
});
