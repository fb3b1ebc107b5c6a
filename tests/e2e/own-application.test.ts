import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lightBrowser, readRecords, runCli, type CliResult } from '../support/cli.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { answerWith, behindForm } from '../support/site-behind-form.ts';
import { tempFolder } from '../support/temp-folder.ts';

const secrets = { pass: 'pass-51c0e7d2', session: 'session-9b02fe41' };

/** A page of some requests that asks for `/told` once its web socket has told it something. */
const account = `<script>
new WebSocket('wss://' + location.host + '/live').onmessage = () => fetch('/told');
for (let part = 0; part < 12; part++) fetch('/part/' + part);
</script>the account`;

const logInScript = `export default async ({ page, url, secret }) => {
  await page.goto(url);
  await page.type('input[name=word]', secret('OWN_WORD'));
  await Promise.all([page.waitForNavigation(), page.click('button')]);
};`;

/** Takes a web socket (RFC 6455) and sends it the text `ok`. */
function takeSocket({ headers }: IncomingMessage, socket: Duplex): void {
  const key = headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.on('error', () => undefined);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.write(Buffer.from([0x81, 2, ...Buffer.from('ok')]));
}

test('an application behind a log-in, with a web socket, under a private authority: one command measures it, two measure a recording', async (t) => {
  const folder = tempFolder(t);
  const own = await privateAuthority(folder, ['localhost', 'third.localhost']);
  const sockets = new Set<Duplex>();
  const site = await startGuardedSite(
    t,
    behindForm(secrets, (_request, response) => answerWith(response, account)),
    {
      certificates: [own],
      upgrade: (request, socket) => {
        sockets.add(socket);
        takeSocket(request, socket);
      },
    },
  );
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const script = join(folder, 'log-in.ts');
  writeFileSync(script, logInScript);
  const access = ['--ca', own.rootFile, '--login', script, ...site.connectTo];
  const bare = ['--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start', ...lightBrowser];
  const command = (...words: readonly string[]): Promise<CliResult> =>
    runCli(words, { OWN_WORD: secrets.pass });
  const assertValid = (out: string, { code, stderr }: CliResult): void => {
    assert.equal(code, 0, stderr);
    const records = readRecords(out);
    assert.deepEqual(
      records.map(({ arm, status, reason }) => [arm, status, reason]).toSorted(),
      ['h2', 'h3'].map((arm) => [arm, 'ok', undefined]),
    );
  };

  const live = join(folder, 'live');
  assertValid(live, await command('run', '--url', site.url, ...access, ...bare, '--out', live));
  const told = site.seen.filter(({ url }) => url === '/told').length;
  assert.ok(told >= 2, `${told} loads heard of their web socket`);

  const archive = join(folder, 'archive');
  const recorded = await command('record', site.url, ...access, '--out', archive);
  if (/There is no mitmdump|mitmproxy, which records sites, is not to be had/.test(recorded.stderr))
    return t.skip(recorded.stderr);
  assert.equal(recorded.code, 0, recorded.stderr);
  assert.match(recorded.stdout, /1 thing that a replay cannot give: WebSocket wss:\/\/localhost:\d+\/live/);
  const replay = join(folder, 'replay');
  assertValid(replay, await command('run', '--sites', archive, ...bare, '--out', replay));
});
