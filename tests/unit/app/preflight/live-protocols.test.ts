import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type TlsOptions } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { openCertificateStore } from '../../../../harness/tools/certificates.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { errorOf, judgePlan, type Judged } from '../../../../src/app/preflight/preflight.ts';
import { spokenProtocols } from '../../../../src/app/run/spoken-protocols.ts';
import type { LivePage } from '../../../../src/core/model/live-address.ts';
import { openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A server over TCP alone, and what a run that begins there is told. */
async function lookAt(
  t: TestContext,
  ALPNProtocols: TlsOptions['ALPNProtocols'],
  { altSvc, arms = 'h2,h3' }: { altSvc?: (port: number) => string; arms?: string } = {},
): Promise<Judged> {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const { certificateFile, keyFile } = await store.filesFor('site.test');
  const server = createServer({
    cert: readFileSync(certificateFile),
    key: readFileSync(keyFile),
    ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }),
  });
  server.on('secureConnection', (socket) => void socket.on('error', () => undefined).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const url = `https://site.test:${port}/`;
  const request = readPlanRequest(undefined, { url: [url], arms, repetitions: '1', exploratory: true });
  const { plan, workloads } = planFromRequest(request, 'test');
  const told = altSvc?.(port) ?? null;
  const remote = { url, address: `127.0.0.1:${port}`, altSvc: told } as LivePage['remote'];
  const live: LivePage = { remote, h3Hosts: [], acceptedKeys: [], connectTo: [], block: [] };
  const prepared = new Map(workloads.map(({ id }) => [id, { live }]));
  return judgePlan(plan, { spoken: await spokenProtocols(plan, prepared, 100) }, { fresh: ['spoken'] });
}

test('an address that answers no QUIC is not begun with: nothing could be compared', async (t) => {
  const error = errorOf((await lookAt(t, ['h2', 'http/1.1'])).refusals);
  assert.equal(error?.code, 'unsupported');
  assert.match(error.message, /site\.test:\d+ answers no HTTP\/3: nothing answers QUIC at UDP port \d+/);
  assert.match(error.next ?? '', /h2h3 record https:\/\/site\.test:\d+\//);
});

test('an address that speaks HTTP/1.1 only is said to', async (t) => {
  const error = errorOf((await lookAt(t, ['http/1.1'])).refusals);
  assert.match(error?.message ?? '', /answers HTTP\/1\.1 only: TLS agrees on no h2 .*, nothing answers QUIC/);
});

test('an address that announces HTTP/3 while nothing answers over UDP is not begun with either', async (t) => {
  const error = errorOf((await lookAt(t, ['h2'], { altSvc: (port) => `h3=":${port}"; ma=60` })).refusals);
  assert.equal(error?.code, 'unsupported');
  assert.match(
    error.message,
    /^nothing to compare: site\.test:\d+ answers no HTTP\/3, which it announces .*nothing answers QUIC.*block UDP$/,
  );
  assert.match(error.next ?? '', /^Let UDP through to it\..*h2h3 record https:\/\/site\.test:\d+\//);
});

test('HTTP/3 that is announced at another place is named with it, and no firewall is blamed', async (t) => {
  for (const [authority, place] of [
    [':8643', 'site.test:8643'],
    ['alt.test:443', 'alt.test:443'],
  ]) {
    const altSvc = (): string => `h2="other:1", h3="${authority}"; ma=60`;
    const error = errorOf((await lookAt(t, ['h2'], { altSvc })).refusals);
    assert.match(
      error?.message ?? '',
      new RegExp(`no HTTP/3 itself: .*It announces it at ${place} \\(alt-svc\\)`),
    );
    assert.match(error?.next ?? '', /^Have it answer HTTP\/3 on its own port/);
    assert.doesNotMatch(`${error?.message} ${error?.next}`, /firewall|Let UDP/);
  }
});

test('arms that ask for no HTTP/3 are let through where there is none', async (t) => {
  const { refusals, warnings } = await lookAt(t, ['h2'], { arms: 'h2,h2+cpu=50%' });
  assert.deepEqual([...refusals, ...warnings], []);
});
