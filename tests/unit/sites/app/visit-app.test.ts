import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { RequestListener } from 'node:http';
import { openCertificateStore } from '../../../../harness/tools/certificates.ts';
import { createSetupContext } from '../../../../harness/tools/setup-context.ts';
import { visitApp, type AppVisit } from '../../../../sites/app/visit-app.ts';
import { choosePort } from '../../../../src/core/system/free-port.ts';
import type { AppRoute } from '../../../../src/core/model/app-under-test.ts';
import { projectDir } from '../../../support/cli.ts';
import { startTinyApp } from '../../../support/tiny-app.ts';

function visit(origin: string, path = '/', route: Partial<AppRoute> = {}): Promise<AppVisit> {
  const hosts = [{ host: 'app.h2h3.test', origin }];
  const { signal } = new AbortController();
  return visitApp(new URL(path, origin), {
    route: { hosts, port: 8443, ...route },
    access: undefined,
    logsIn: false,
    signal,
    bodyLimitMs: 200,
  });
}

async function refused(
  visited: Promise<unknown>,
  code: string,
  message: RegExp,
  next: RegExp,
): Promise<void> {
  await assert.rejects(visited, { code, message, next });
}

const answering =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end('.');

test('an app that answers is visited by way of its own redirects', async (t) => {
  const { origin } = await startTinyApp(t);
  const { thinkMs } = await visit(origin);
  assert.ok(thinkMs >= 0 && thinkMs < 1000);
});

test('an app that is not there, or speaks TLS, is said with what to do', async (t: TestContext) => {
  const port = await choosePort(undefined);
  await refused(
    visit(`http://localhost:${port}`),
    'unsupported',
    /^no app answers at http:\/\/localhost:\d+: connect ECONNREFUSED/,
    /--server-command 'npm start'/,
  );
  const store = await openCertificateStore({ cache: (await createSetupContext({ projectDir })).cache });
  const { certificateFile, keyFile } = await store.filesFor('localhost');
  const server = https.createServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await refused(
    visit(origin),
    'bad-input',
    /speaks TLS already/,
    /--url https:\/\/localhost:\d+\/ --insecure$/,
  );
});

test('an app whose answer is no page is said with what to do', async (t) => {
  const { origin } = await startTinyApp(t, {
    '/broken': answering(503),
    '/locked': answering(401),
    '/away': answering(302, { location: 'https://login.example/start?secret=1' }),
    '/tls': answering(301, { location: 'https://localhost/tls' }),
    '/round': answering(302, { location: '/round' }),
    '/stream': (_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(timer));
    },
  });
  await refused(visit(origin, '/broken'), 'bad-input', /\/broken answers with status 503$/, /--server-ready/);
  await refused(
    visit(origin, '/locked'),
    'bad-input',
    /requires a log-in \(status 401\)$/,
    /--storage-state/,
  );
  await refused(visit(origin, '/none'), 'bad-input', /answers with status 404$/, /--app http:/);
  await refused(
    visit(origin, '/away'),
    'bad-input',
    /leads on to https:\/\/login\.example, which is no part of the app$/,
    /--storage-state.*--url/,
  );
  await refused(visit(origin, '/tls'), 'bad-input', /leads on to https:\/\/localhost,/, /X-Forwarded-Proto/);
  await refused(visit(origin, '/round'), 'bad-input', /leads on without end$/, /X-Forwarded-Proto/);
  await refused(visit(origin, '/stream'), 'bad-input', /is not over after 0\.2 s$/, /another address/);
});

test('an app that answers to its own host alone is asked by that where it is told', async (t) => {
  const { origin } = await startTinyApp(t, {
    '*': (request, response) =>
      void response.writeHead(request.headers.host?.startsWith('localhost:') === true ? 200 : 403).end(),
  });
  await refused(
    visit(origin),
    'bad-input',
    /accepts no host but its own: status 403 as app\.h2h3\.test:8443, 200 as localhost:\d+$/,
    /Add app\.h2h3\.test .*--app-host own/,
  );
  await visit(origin, '/', { ownHost: 'own' });
});
