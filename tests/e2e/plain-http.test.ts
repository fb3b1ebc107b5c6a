import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readHar } from '../../src/store/evidence.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { startCaddy } from '../support/caddy-server.ts';
import type { Header } from '../../sites/archive/headers.ts';
import { projectDir, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { harEntry, type HarAnswer } from '../support/imported-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>';
const home = '<!doctype html><title>home</title><link rel=icon href="data:,"><h1>home</h1><img src="/a.svg">';

/** Ways from a page over https to an address of plain http: what its first document is answered with. */
const ways: Readonly<Record<string, (to: string) => Omit<HarAnswer, 'url'>>> = {
  status: (to) => ({ status: 302, headers: [['location', to]] }),
  script: (to) => ({ body: `<!doctype html><title>on</title><script>location.replace('${to}')</script>` }),
  refresh: (to) => ({
    body: `<!doctype html><title>on</title><meta http-equiv=refresh content="0;url=${to}">`,
  }),
};

/** A name under a top-level domain of which browsers know that it is asked over TLS alone, and so never ask it over plain http. */
const knownForTls = 'known.dev';

/** What the recorded server took for its first answer: users wait for it whichever way the page leads on. */
const thinkMs = 300;

const told = (records: readonly TrialRecord[]): string =>
  records
    .map(({ arm, instrumentation, reason, warnings }) =>
      [arm, instrumentation, reason, ...warnings].join(' '),
    )
    .join('\n');

const whole = ['--repetitions', '1', '--recorded', '1', '--exploratory', '--quick-start'];

test('a recorded site that leads over plain http and back is measured in all blocks alike', async (t) => {
  const folder = tempFolder(t);
  const archives: string[] = [];
  const hosts = Object.keys(ways).map((way) => [`${way}.test`, way] as const);
  for (const [host, way] of [...hosts, [knownForTls, 'status'] as const]) {
    const site = `https://${host}`;
    const overHttp = `http://${host}/home`;
    const isKnown = host === knownForTls;
    // Chromium writes an answer of its own for what it did not ask.
    const ofBrowser: Header[] = isKnown ? [['non-authoritative-reason', 'HSTS']] : [];
    const entries = [
      harEntry({
        url: `${site}/`,
        ...ways[way]?.(overHttp),
        resourceType: 'document',
        entry: { timings: { wait: thinkMs } },
      }),
      harEntry({
        url: overHttp,
        status: isKnown ? 307 : 301,
        headers: [['location', `${site}/home`], ...ofBrowser],
        atSeconds: 1,
      }),
      harEntry({ url: `${site}/home`, body: home, atSeconds: 2, resourceType: 'document' }),
      harEntry({ url: `${site}/a.svg`, type: 'image/svg+xml', body: svg, atSeconds: 3 }),
    ];
    const file = join(folder, `${host}.har`);
    writeFileSync(file, JSON.stringify({ log: { creator: { name: 'test' }, entries } }));
    const archive = join(folder, host);
    const imported = await runCliHere(['record', '--from-har', file, '--page', `${site}/`, '--out', archive]);
    assert.equal(imported.code, 0, imported.stderr);
    archives.push(archive);
  }
  const out = join(folder, 'run');
  const sites = ['run', '--sites', archives.join(','), '--network', 'loopback', '--think-time'];
  const { stderr } = await runCli([...sites, ...whole, '--out', out]);
  const records = readRecords(out);
  assert.equal(records.length, 16, stderr);
  for (const record of records) {
    assert.equal(record.status, 'ok', told([record]));
    const { pltMs } = record.metrics;
    assert.ok(
      Number(pltMs) >= thinkMs,
      `${record.workload} ${record.instrumentation}: ${pltMs} ms of ${thinkMs}`,
    );
    const har = readHar(dirname(join(out, String(record.artifacts['har']))));
    const answered = (har?.log.entries ?? []).flatMap(({ request, response }) =>
      response.status === 200 ? [new URL(request.url)] : [],
    );
    const paths = answered.map(({ protocol, pathname }) => protocol + pathname);
    assert.ok(paths.includes('https:/home') && paths.includes('https:/a.svg'), paths.join(' '));
  }
});

test('a live address that leads over plain http and back is measured in all blocks alike', async (t) => {
  const host = 'plain.test';
  const setup = await createSetupContext({ projectDir });
  const certificates = await openCertificateStore({ cache: setup.cache });
  const plain = createServer((request, response) => {
    response.writeHead(301, { location: `https://${host}${request.url}` }).end();
  }).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  t.after(() => plain.close());
  const port = await choosePort(undefined);
  const answer = (path: string, status: number, headers: object, body = ''): object => ({
    match: [{ path: [path] }],
    handle: [{ handler: 'static_response', status_code: status, headers, body }],
  });
  const site = {
    listen: [`127.0.0.1:${port}`],
    protocols: ['h1', 'h2', 'h3'],
    automatic_https: { disable: true },
    tls_connection_policies: [{}],
    routes: [
      answer('/', 302, { Location: [`http://${host}/home`] }),
      answer('/home', 200, { 'Content-Type': ['text/html'] }, home),
      answer('/a.svg', 200, { 'Content-Type': ['image/svg+xml'] }, svg),
    ],
  };
  await startCaddy(t, (await ensureCaddy(setup)).path, {
    servers: { site },
    files: [await certificates.filesFor(host)],
  });
  const { port: plainPort } = plain.address() as AddressInfo;
  const led = [`${host}:443:127.0.0.1:${port}`, `${host}:80:127.0.0.1:${plainPort}`];
  const out = join(tempFolder(t), 'run');
  const address = ['run', '--url', `https://${host}/`, ...led.flatMap((rule) => ['--connect-to', rule])];
  const { stderr } = await runCli([...address, '--insecure', ...whole, '--out', out]);
  const records = readRecords(out);
  assert.equal(records.length, 4, stderr);
  for (const record of records) assert.equal(record.status, 'ok', told([record]));
});
