import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { action, carriedOut, launcher, stepCarriedOut } from '../support/action.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('the action judges two addresses under a private authority, behind a header that a secret of the job fills', async (t) => {
  const secret = 'pass-7d03ab1e';
  const site = await startGuardedSite(t, ({ headers }, response) => {
    response.writeHead(headers['x-pass'] === secret ? 200 : 403, { 'content-type': 'text/html' });
    response.end('<!doctype html><link rel=icon href="data:,"><title>shop</title><img src="/ads/x.gif">');
  });
  const folder = tempFolder(t);
  const connectTo = site.connectTo.filter((word) => word !== '--connect-to');
  writeFileSync(
    join(folder, 'plan.yaml'),
    `urls: [${site.url}]\nexploratory: true\nrepetitions: 2\nlive: { connectTo: ${JSON.stringify(connectTo)} }\n`,
  );
  const inputs = {
    baseline: `${site.url}?live`,
    candidate: `${site.url}?preview`,
    preset: 'plan.yaml',
    ca: site.certificateFile,
    headers: 'X-Pass: ${STAGING_PASS}\n',
    block: '/ads/\n',
  };
  const { result, outputs, code } = await carriedOut(folder, inputs, {
    H2H3: launcher,
    STAGING_PASS: secret,
  });
  const said = `${result.stdout}${result.stderr}`;
  assert.deepEqual([outputs['verdict'], code], ['undecided', 5], said);
  assert.ok(existsSync(join(outputs['report'] ?? '', 'gate.md')));
  assert.ok(!said.includes(secret), 'no log has it');
  assert.ok(site.seen.some(({ url, headers }) => url.includes('preview') && headers['x-pass'] === secret));
  assert.ok(!site.seen.some(({ url }) => url.startsWith('/ads/')));
});

test('a set-up that fails is no verdict, and neither is an input that would count for nothing', async (t) => {
  const addresses = { baseline: 'https://a.test/', candidate: 'https://b.test/' };
  const none = await carriedOut(tempFolder(t), addresses, { H2H3: 'false' });
  assert.deepEqual([none.outputs['verdict'], none.code], ['failed', 3]);
  assert.match(none.result.stdout, /^::error::h2h3 could not be installed from h2h3@latest\./m);
  const versions = { baseline: 'chromium@1', candidate: 'chromium@2', ca: 'own.pem' };
  const unused = await carriedOut(tempFolder(t), versions, { H2H3: 'true' });
  assert.deepEqual([unused.outputs['verdict'], unused.code], ['failed', 2]);
  assert.match(unused.result.stdout, /^::error::ca and insecure are for addresses/m);
  const builds = { 'baseline-command': 'npm start', 'candidate-command': 'npm start' };
  const together = await carriedOut(tempFolder(t), { ...builds, insecure: 'true' }, { H2H3: 'true' });
  assert.deepEqual([together.outputs['verdict'], together.code], ['failed', 2]);
  const pages = await carriedOut(tempFolder(t), { ...addresses, pages: '/cart' }, { H2H3: 'true' });
  assert.match(pages.result.stdout, /^::error::pages is for builds\./m);
});

test('a version, a tarball and a folder are given to npx so that it takes none for another', async (t) => {
  const folder = tempFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  mkdirSync(join(folder, 'vendor/h2h3'), { recursive: true });
  writeFileSync(join(folder, 'own.tgz'), '');
  const npx = join(bin, 'npx');
  writeFileSync(npx, '#!/bin/sh\necho "npx $*"\nexit 1\n');
  chmodSync(npx, 0o755);
  const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  for (const [version, taken] of [
    ['0.9.0', 'h2h3@0.9.0'],
    ['own.tgz', join(folder, 'own.tgz')],
    ['vendor/h2h3', join(folder, 'vendor/h2h3')],
    ['https://example.test/h2h3.tgz', 'https://example.test/h2h3.tgz'],
  ] as const) {
    const inputs = { baseline: 'https://a.test/', candidate: 'https://b.test/', version };
    const { result, outputs } = await carriedOut(folder, inputs, { PATH: path });
    assert.ok(result.stdout.includes(`npx --yes --package=${taken} -- h2h3 --version`), result.stdout);
    assert.equal(outputs['verdict'], 'failed', 'an exit code of npx is none of the gate');
  }
});

test('no input becomes an option, a setting of an arm or a command to the runner, and no page speaks to it', async (t) => {
  const addresses = { baseline: 'https://a.test/', candidate: 'https://b.test/' };
  const folder = tempFolder(t);
  const h2h3 = join(folder, 'h2h3');
  writeFileSync(h2h3, `#!/bin/sh\nprintf '<%s>' "$@"\nprintf '\\n::error::said by a page\\n'\n`);
  chmodSync(h2h3, 0o755);
  const hostile: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ candidate: 'https://b.test/+flags=--renderer-cmd-prefix=sh' }, /CANDIDATE has a \+/],
    [{ baseline: 'https://a.test/?q=1+client=/tmp/program' }, /BASELINE has a \+/],
    [{ candidate: 'https://b.test/\n::error::forged' }, /CANDIDATE has more than one line/],
    [{ baseline: '--trust-all' }, /BASELINE begins with a hyphen/],
    [{ preset: '--script=evil.ts' }, /PRESET begins with a hyphen/],
    [{ 'candidate-command': '--port=1' }, /CANDIDATE_COMMAND begins with a hyphen/],
    [{ 'baseline-command': 'npm start\n::error::forged' }, /BASELINE_COMMAND has more than one line/],
    [{ 'candidate-command': 'npm start', pages: '/\n--trust-all' }, /PAGES does not begin with a \//],
    [{ 'candidate-command': 'npm start', pages: '/\r::error::forged' }, /PAGES has a line break/],
    [{ version: '1.0.0\r\nverdict=passed' }, /VERSION has more than one line/],
  ];
  for (const [inputs, reason] of hostile) {
    const { result, outputs, code } = await carriedOut(folder, { ...addresses, ...inputs }, { H2H3: h2h3 });
    assert.deepEqual([outputs['verdict'], code], ['failed', 2], result.stdout);
    assert.match(result.stdout, reason);
    assert.match(result.stdout, /^::error::[^\n]*\n$/, 'nothing else is said, and nothing starts');
  }
  const quoting = { candidate: `https://b.test/$(touch x)"'\`id\``, headers: 'A: $(id)\r\n--trust-all' };
  const { result, outputs } = await carriedOut(folder, { ...addresses, ...quoting }, { H2H3: h2h3 });
  assert.ok(result.stdout.includes(`<--arm><h3+url=${quoting.candidate}>`), result.stdout);
  assert.ok(result.stdout.includes('<--header><A: $(id)><--header><--trust-all>'), result.stdout);
  assert.ok(!existsSync(join(folder, 'x')));
  const spoken = result.stdout.replaceAll(/^::stop-commands::(.+)\n[^]*?^::\1::$/gm, '');
  assert.doesNotMatch(spoken, /^::/m);
  const again = await carriedOut(folder, addresses, { H2H3: h2h3 });
  for (const name of ['report', 'artifact'])
    assert.notEqual(again.outputs[name], outputs[name], `each use of the action has its own ${name}`);
  const builds = {
    'baseline-command': 'npm start\n',
    'candidate-command': 'npm run branch\n',
    pages: '/\n/cart\n',
    preset: 'plan.yaml',
  };
  const built = await carriedOut(folder, builds, { H2H3: h2h3 });
  const commands = '<--baseline-command><npm start><--candidate-command><npm run branch>';
  assert.match(
    built.result.stdout,
    new RegExp(`^<gate><--out>.*${commands}<--page></><--page></cart><--preset><plan\\.yaml>$`, 'm'),
  );
  const reached = {
    ...addresses,
    login: 'log-in.mjs',
    script: 'shop.ts',
    block: '/ads/\n/video/\n',
    ca: 'own.pem',
    insecure: 'true',
  };
  const opened = await carriedOut(folder, reached, { H2H3: h2h3 });
  for (const words of [
    '<--login><log-in.mjs>',
    '<--script><shop.ts>',
    '<--block></ads/><--block></video/>',
    '<--ca><own.pem>',
    '<--insecure>',
  ])
    assert.ok(opened.result.stdout.includes(words), opened.result.stdout);
});

test('what is compared and loaded decides the name of the cache, which shows no address', async (t) => {
  const keys = action.runs.steps.flatMap(({ with: { key } = {} }) => key ?? []);
  assert.deepEqual(keys, ['h2h3-${{ runner.os }}-${{ runner.arch }}-${{ steps.compared.outputs.digest }}']);
  const folder = tempFolder(t);
  const uses: readonly Readonly<Record<string, string>>[] = [
    {},
    { baseline: 'chromium@148' },
    { candidate: 'chromium@148' },
    { 'baseline-command': 'npm start' },
    { 'candidate-command': 'npm start' },
    { preset: 'plan.yaml' },
    { network: '4g' },
    { version: '0.9.0' },
  ];
  const digests = new Set<string>();
  for (const inputs of uses) {
    const { outputs } = await stepCarriedOut('compared', { folder, inputs });
    assert.match(outputs['digest'] ?? '', /^[\da-f]{40}$/);
    digests.add(outputs['digest'] ?? '');
  }
  assert.equal(digests.size, uses.length);
});

/** Keeps comments in the folder `COMMENTS`, one a file, and answers to what the action asks of `gh`. */
const commentKeeper = `#!/bin/bash
set -eu
case "$1 $2" in
'pr view')
  mark=$(sed -n 's/.*startswith("\\(.*\\)").*/\\1/p' <<<"$7")
  for file in $(grep -lF -- "$mark" "$COMMENTS"/* || true); do echo "https://x.test/pull/1#issuecomment-\${file##*/}"; done ;;
'pr comment') cp "$5" "$COMMENTS/$(ls "$COMMENTS" | wc -l)" ;;
'api --silent') cp "\${7#body=@}" "$COMMENTS/\${5##*/}" ;;
esac
`;

test('each use of the action renews its own comment and no other', async (t) => {
  const folder = tempFolder(t);
  const comments = join(folder, 'comments');
  mkdirSync(comments);
  writeFileSync(join(comments, '0'), 'of another program');
  writeFileSync(join(folder, 'gh'), commentKeeper);
  chmodSync(join(folder, 'gh'), 0o755);
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const comment = async (inputs: Readonly<Record<string, string>>, said: string): Promise<void> => {
    writeFileSync(join(folder, 'gate.md'), said);
    const contexts = {
      'github.repository': 'owner/shop',
      'github.event.number': '1',
      'github.workflow': 'checks',
      'github.job': 'gate',
      'strategy.job-index': '0',
      'steps.gate.outputs.report': folder,
    };
    const job = { PATH: path, COMMENTS: comments };
    const { result } = await stepCarriedOut('comment', { folder, inputs, job, contexts });
    assert.equal(result.code, 0, result.stderr);
  };
  const pages = { baseline: 'https://shop.test/', token: 'none' };
  await comment({ ...pages, candidate: 'https://one.test/' }, 'pages, first push');
  await comment({ baseline: 'chromium@148', token: 'none' }, 'browsers');
  await comment({ ...pages, candidate: 'https://two.test/' }, 'pages, second push');
  const kept = readdirSync(comments).map((name) =>
    readFileSync(join(comments, name), 'utf8').split('\n').at(-1),
  );
  assert.deepEqual(kept, ['of another program', 'pages, second push', 'browsers']);
});
