import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { noH3Reason } from '../../harness/servers/spoken-protocols.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { quicAnswers } from '../../harness/servers/origin-probe.ts';
import { anyAddress, type RunningServer } from '../../harness/servers/server.ts';
import type { ServerSoftware } from '../../harness/servers/server-software.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { bracketed } from '../../src/core/model/wire-address.ts';
import { request, startOrigin } from '../support/origin-server.ts';

const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
const congestionFile = '/proc/sys/net/ipv4/tcp_congestion_control';
const allowedFile = '/proc/sys/net/ipv4/tcp_allowed_congestion_control';

/** Why a server is not to be had; null where it is. What takes minutes to build is not built here. */
async function lackOf(software: ServerSoftware): Promise<string | null> {
  if (software.builtWhenNamed === true)
    return (await software.find(setup)) === undefined ? `${software.id} was not built here` : null;
  return software.ensure(setup).then(
    () => null,
    (thrown: unknown) => {
      if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return thrown.message;
      throw thrown;
    },
  );
}

/** What every server of browsers must do alike, or a comparison of two would compare their set-ups. */
for (const software of serverSoftware.filter(({ scope }) => scope === undefined)) {
  const { id } = software;
  const missing = await lackOf(software);

  test(`${id}: files come as they are, with the stated headers, and the log proves each`, async (t) => {
    if (missing !== null) return t.skip(missing);
    const server = await startOrigin(t, {}, software);
    const mark = await server.mark();
    const page = await request(server, '/?q=1');
    assert.equal(page.body, '<h1>page</h1>');
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['access-control-allow-origin'], '*');
    assert.equal(page.headers['timing-allow-origin'], '*');
    assert.equal(page.headers['cache-control'], 'no-cache', 'documents are asked for again at each visit');
    assert.equal(page.headers['alt-svc'], `h3=":${server.port}"; ma=2592000`);
    const entries = await server.entriesSince(mark, ['a.test/?q=1']);
    assert.deepEqual(
      entries.map(({ host, path: file, protocol, status, bytes, announcedBytes }) => ({
        host,
        file,
        protocol,
        status,
        bytes,
        announcedBytes,
      })),
      [{ host: 'a.test', file: '/?q=1', protocol: 'h2', status: 200, bytes: 13, announcedBytes: 13 }],
    );
    assert.ok(Math.abs((entries[0]?.startEpochMs ?? 0) - Date.now()) < 60_000);
    assert.equal((await request(server, '/video.mpd')).headers['content-type'], 'application/dash+xml');
    const encodings = ['br, gzip', 'gzip', 'identity'];
    const coded = await Promise.all(
      encodings.map((encoding) => request(server, '/a.js?x=1', { 'accept-encoding': encoding })),
    );
    assert.deepEqual(
      coded.map(({ body }) => body),
      ['brotli', 'gzip', 'plain'],
    );
    assert.ok(coded.every(({ headers }) => /max-age=\d+/.test(headers['cache-control'] ?? '')));
    assert.ok(coded.every(({ headers }) => headers['content-type'] === 'text/javascript; charset=utf-8'));
    const absent = await request(server, '/absent.js');
    assert.equal(absent.headers[':status'], 404);
    assert.equal(absent.headers['timing-allow-origin'], '*');
    const known = await request(server, '/?q=1', { 'if-none-match': page.headers['etag'] ?? 'none' });
    assert.equal(known.headers[':status'], 304);
    assert.equal(known.headers['timing-allow-origin'], '*');
    assert.equal((await request(server, '/empty/')).headers[':status'], 404, 'no list of a folder');
    assert.equal((await request(server, '/', { ':authority': 'b.test' })).headers[':status'], 421);
    const above = await request(server, '/../../server/access.log');
    assert.ok([400, 404].includes(above.headers[':status'] ?? 0), 'nothing outside of the folder');
  });

  test(`${id}: TCP runs the congestion control asked for, seen on a connection, and the machine stays as it was`, async (t) => {
    if (missing !== null) return t.skip(missing);
    if (process.platform !== 'linux') return t.skip('only Linux lets a socket choose');
    const before = readFileSync(congestionFile, 'utf8');
    const server = await startOrigin(t, {}, software);
    const { description } = server;
    if (/perl/.test(description.tcpCongestionControlNote ?? '')) return t.skip('there is no perl here');
    assert.match(description.version, /^\d+\.\d+\.\d+/);
    assert.equal(description.quicCongestionControl, software.quicCongestionControls[0]);
    const [like = ''] = software.quicCongestionControls;
    if (process.getuid?.() === 0 || readFileSync(allowedFile, 'utf8').split(/\s+/).includes(like)) {
      assert.equal(description.tcpCongestionControl, like, 'like QUIC where nothing is asked for');
      assert.match(description.tcpCongestionControlNote ?? '', /read back from|ss .*is not there/);
    } else {
      t.diagnostic(`this user may not choose ${like}`);
      assert.equal(description.tcpCongestionControl, before.trim());
      assert.ok(description.tcpCongestionControlNote?.includes(`not ${like}`));
    }
    await server.stop();
    assert.equal(server.alive(), false);
    const reno = await startOrigin(t, { congestion: 'reno' }, software);
    assert.equal(reno.description.tcpCongestionControl, 'reno');
    const unchanged = await startOrigin(t, { tcpCongestionControl: null }, software);
    assert.equal(unchanged.description.tcpCongestionControl, before.trim());
    const refused = await startOrigin(t, { congestion: 'no-such-algorithm' }, software);
    assert.equal(refused.description.tcpCongestionControl, before.trim());
    assert.match(refused.description.tcpCongestionControlNote ?? '', /not no-such-algorithm/);
    assert.equal(readFileSync(congestionFile, 'utf8'), before);
  });

  test(`${id}: certificates and the exchange of keys are as they are set, read back over TCP and QUIC`, async (t) => {
    if (missing !== null) return t.skip(missing);
    const group = software.applies.includes('keyexchange') ? ({ keyexchange: 'x25519' } as const) : {};
    const settings = { ...group, certificate: { bytes: 9216 }, keytype: 'rsa', coalescing: 'on' } as const;
    const server = await startOrigin(t, { settings }, software);
    const { chainBytes, names, keyType, tcpKeyExchange, quicKeyExchange, compression } =
      server.description.handshake ?? {};
    assert.ok(Math.abs((chainBytes ?? 0) - 9216) <= 4, String(chainBytes));
    assert.deepEqual([names, keyType], [1, 'rsa']);
    assert.ok(tcpKeyExchange !== null && quicKeyExchange !== null, 'both transports say their group');
    if ('keyexchange' in group) assert.deepEqual([tcpKeyExchange, quicKeyExchange], ['X25519', 'X25519']);
    assert.ok(compression === 'none' || id === 'envoy', String(compression));
    if (!('keyexchange' in group)) return;
    const hybrid = await startOrigin(t, { settings: { keyexchange: 'mlkem' } }, software);
    assert.equal(hybrid.description.handshake?.quicKeyExchange, 'X25519MLKEM768');
    assert.ok((hybrid.description.handshake?.chainBytes ?? Infinity) < 700);
  });

  test(`${id}: cipher, TLS, pacing and storage are set where they can be, and read back`, async (t) => {
    if (missing !== null) return t.skip(missing);
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return t.skip('storage=tmpfs needs root');
    const cipher = software.applies.includes('cipher') ? ({ cipher: 'chacha20' } as const) : {};
    const settings = { ...cipher, pacing: 'on', storage: 'tmpfs' } as const;
    const server = await startOrigin(t, { settings }, software);
    const { description } = server;
    assert.equal(description.tcpPacing, 'on');
    assert.equal(description.storage, 'tmpfs');
    assert.equal(
      description.cipher,
      software.applies.includes('cipher') ? 'TLS_CHACHA20_POLY1305_SHA256' : undefined,
    );
    const mark = await server.mark();
    assert.equal((await request(server, '/')).body, '<h1>page</h1>');
    const [entry] = await server.entriesSince(mark, ['a.test/']);
    if (software.applies.includes('cipher')) assert.equal(entry?.cipher, description.cipher);
    const older = await startOrigin(t, { settings: { tls: '1.2' } }, software);
    assert.equal(older.description.tls, '1.2');
    const usual = await startOrigin(t, { settings: { storage: 'disk' } }, software).catch(
      (thrown: unknown) => thrown,
    );
    // The folder of this test may lie in memory itself.
    if (usual instanceof H2h3Error) assert.match(usual.message, /storage=disk: .* lies in memory/);
    else assert.equal((usual as RunningServer).description.storage, 'disk');
  });

  test(`${id}: HTTP/3 is found where packets of unknown versions of QUIC are lost`, async (t) => {
    if (missing !== null) return t.skip(missing);
    const server = await startOrigin(t, {}, software);
    const port = await relayOfKnownVersions(t, server.port);
    const place = { url: new URL(`https://a.test:${port}/`), host: '127.0.0.1', port };
    assert.equal(await noH3Reason(place), null);
  });
}

/** Loopback of either version of IP. */
const loopbacks = ['127.0.0.1', '::1'];

async function whyNoIpv6(): Promise<string | null> {
  const interfaces = await readFile('/proc/net/if_inet6', 'utf8').catch(() => '');
  return /^0{31}1 /m.test(interfaces) ? null : 'loopback of this machine has no IPv6';
}

for (const software of serverSoftware)
  test(`${software.id}: one start answers over IPv4 and IPv6, and the log has the version of each request`, async (t) => {
    const missing = (await whyNoIpv6()) ?? (await lackOf(software));
    if (missing !== null) return t.skip(missing);
    const server = await startOrigin(t, { address: anyAddress }, software);
    for (const address of loopbacks)
      assert.equal(await quicAnswers(address, server.port), true, `QUIC at ${address}`);
    if (software.scope !== undefined) return;
    const mark = await server.mark();
    for (const address of loopbacks) {
      const place = { address: bracketed(address), port: server.port };
      assert.equal((await request(place, `/?at=${address}`)).body, '<h1>page</h1>', address);
    }
    const entries = await server.entriesSince(
      mark,
      loopbacks.map((address) => `a.test/?at=${address}`),
    );
    // Processes of one server write each down when they have a CPU for that.
    assert.deepEqual(entries.map(({ path: file, family }) => [file, family]).toSorted(), [
      ['/?at=127.0.0.1', 4],
      ['/?at=::1', 6],
    ]);
  });

/** A firewall before a server: forwards what is of version 1 of QUIC alone. */
async function relayOfKnownVersions(t: TestContext, serverPort: number): Promise<number> {
  const front = createSocket('udp4');
  const back = createSocket('udp4');
  t.after(() => [front, back].forEach((socket) => void socket.close()));
  let client: RemoteInfo | undefined;
  front.on('message', (packet, from) => {
    if (packet.readUInt32BE(1) !== 1) return;
    client = from;
    back.send(packet, serverPort, '127.0.0.1');
  });
  back.on('message', (packet) => {
    if (client !== undefined) front.send(packet, client.port, client.address);
  });
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  return front.address().port;
}
