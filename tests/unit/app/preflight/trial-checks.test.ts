import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import { clientDrivers } from '../../../../harness/clients/drivers.ts';
import { serverSoftware } from '../../../../harness/servers/registry.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { errorOf, judgePlan } from '../../../../src/app/preflight/preflight.ts';
import type { Clients } from '../../../../src/app/preflight/clients.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { projectDir, sourcesIn } from '../../../support/source-graph.ts';

const command = (id: string, protocols: ClientIdentity['protocols']): ClientIdentity => ({
  id,
  family: id,
  name: id,
  version: '1.0',
  build: 'command-line',
  source: 'system',
  executablePath: id,
  headed: false,
  environment: {},
  protocols,
});
const browser: ClientIdentity = { ...command('chromium', undefined), family: 'chromium', build: 'full' };
const clients: Clients = new Map<string, ClientIdentity | H2h3Error>([
  ['curl', command('curl', ['h1', 'h2'])],
  ['quic-go', command('quic-go', ['h2', 'h3'])],
  ['chromium', browser],
  ['firefox', new H2h3Error('unsupported', 'Firefox is not on this machine')],
]);

/** Where every program speaks what it can. */
const speaking: Clients = new Map<string, ClientIdentity | H2h3Error>([
  ...clients,
  ['curl', command('curl', ['h1', 'h2', 'h3'])],
  ['quiche', command('quiche', ['h3'])],
]);

const here = [...clients.values()].flatMap((client) => (client instanceof H2h3Error ? [] : [client]));

async function possible(
  arms: string,
  workload = 'download-1mb',
  those = clients,
  network = 'loopback',
): Promise<readonly string[]> {
  const request = readPlanRequest('download', {
    workload,
    arms,
    repetitions: '1',
    network,
    exploratory: true,
  });
  const { plan } = planFromRequest(request, 'test');
  const facts = { clients: those, clientsHere: () => Promise.resolve(here) };
  const { refusals, warnings } = await judgePlan(plan, facts);
  const refused = errorOf(refusals);
  if (refused !== null) throw refused;
  return warnings;
}

async function refusal(...asked: Parameters<typeof possible>): Promise<H2h3Error> {
  try {
    await possible(...asked);
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown;
    throw thrown;
  }
  return assert.fail('it is not refused');
}

test('what can work is not mentioned', async () => {
  assert.deepEqual(await possible('quic-go:h2,quic-go:h3'), []);
  assert.deepEqual(await possible('chromium:h2,chromium:h3', 'page-agency'), []);
  assert.deepEqual(await possible('quic-go:h2+congestion=bbr,quic-go:h3+congestion=bbr+server=envoy'), []);
});

test('a run none of whose pairs can work is refused with the reason and with who can', async () => {
  const spoken = await refusal('curl:h2,curl:h3');
  assert.equal(spoken.code, 'usage');
  assert.match(spoken.message, /nothing to compare: curl 1\.0 speaks no HTTP\/3/);
  assert.match(spoken.next ?? '', /quic-go, chromium can/);
  assert.match((await refusal('curl:h2,quic-go:h2', 'page-agency')).message, /has no page/);
  const congestion = await refusal('quic-go:h2+congestion=bbr,quic-go:h3+congestion=bbr');
  assert.match(congestion.message, /caddy cannot run bbr over QUIC: it has reno/);
  assert.match(congestion.next ?? '', /envoy can\. .*ask caddy for reno/);
  const between = await refusal('quic-go:h2,quic-go:h3+proxy=envoy+congestion=reno/bbr');
  assert.match(between.message, /envoy cannot run reno over QUIC/);
});

test('behind a proxy the server is asked too, over what the proxy speaks to it', async () => {
  const overQuic = 'quic-go:h2+proxy=envoy-h3+congestion=bbr,quic-go:h3+proxy=envoy-h3+congestion=bbr';
  const congestion = await refusal(overQuic);
  assert.match(congestion.message, /caddy cannot run bbr over QUIC/);
  assert.match(congestion.next ?? '', /^envoy can\. .*Or ask caddy for reno/);
  assert.deepEqual(await possible(overQuic.replaceAll('envoy-h3', 'envoy')), [], 'over TCP the kernel does');
  assert.deepEqual(await possible(overQuic.replaceAll('bbr', 'bbr/reno')), []);
  const compressed = 'certificatecompression=on+proxy=envoy';
  const behind = await refusal(`chromium:h2,chromium:h2+${compressed}`, 'page-agency');
  assert.match(behind.message, /caddy has no switch for the compression of certificates/);
  assert.doesNotMatch(behind.next ?? 'without a proxy', /without a proxy/, 'the proxy can');
  assert.deepEqual(
    await possible(
      `chromium:h2+proxy=envoy+server=envoy,chromium:h2+${compressed}+server=envoy`,
      'page-agency',
    ),
    [],
  );
  const priorities = 'proxy=envoy+server=go,chromium:h3+proxy=envoy+server=go+priorities=off';
  const front = await refusal(`chromium:h3+${priorities}`, 'page-agency');
  assert.match(front.message, /envoy has no switch for priorities/);
  assert.match(front.next ?? '', /go can, without a proxy before them/);
});

test('an initial window of QUIC is had from servers that can set it; the others say what keeps them', async () => {
  const arms = (server: string): string => `quic-go:h3+server=${server},quic-go:h3+server=${server}`;
  assert.deepEqual(await possible(`${arms('go')}+initialwindow=64`), []);
  const constant = await refusal(`${arms('caddy')}+initialwindow=64`);
  assert.match(constant.message, /caddy begins with 32 packets over QUIC, which is a constant of quic-go/);
  assert.match(constant.next ?? '', /\bgo\b.* can/);
  const asked = await refusal(`${arms('envoy')}+initialwindow=64`);
  assert.match(asked.message, /envoy takes the initial window of its QUIC from the client’s/);
  assert.deepEqual(await possible('quic-go:h2,quic-go:h2+initialwindow=32'), [], 'of TCP the link sets it');
});

test('what a server or a client can do is in its own file, and no check has a list of them', () => {
  const ids = [...serverSoftware.map(({ id }) => id), ...clientDrivers.keys()].join('|');
  const list = new RegExp(String.raw`\[\s*'(?:${ids})'|^\s*'?(?:${ids})'?: \[`, 'm');
  assert.match("const incapable = ['nginx', 'haproxy'];", list);
  assert.match("  curl: ['zlib'],", list);
  const found = sourcesIn(['src/app/preflight']).filter((file) =>
    list.test(readFileSync(join(projectDir, file), 'utf8')),
  );
  assert.deepEqual(found, []);
});

test('ECN over QUIC is had where both ends have it, and compared with the like of TCP alone', async () => {
  assert.deepEqual(await possible('chromium:h2+ecn=on,chromium:h3+ecn=on', 'page-agency'), []);
  assert.deepEqual(await possible('quic-go:h2+ecn=on+server=nginx,quic-go:h2+ecn=off+server=nginx'), []);
  assert.deepEqual(await possible('quic-go:h3+ecn=off+server=nginx,quic-go:h3+ecn=on'), []);
  const unmarked = await refusal('quic-go:h2+ecn=on,quic-go:h3+ecn=on+server=nginx');
  assert.match(unmarked.message, /ecn=on: nginx sends nothing over QUIC that a queue could mark/);
  const untold = await refusal('curl:h2+ecn=on,curl:h3+ecn=on', 'download-1mb', speaking);
  assert.match(untold.message, /curl does not tell a server over QUIC which packets were marked/);
  const unknown = await refusal('quic-go:h2+ecn=off,quic-go:h3+ecn=off+server=ngtcp2');
  assert.match(unknown.message, /ngtcp2 has no switch for ECN over QUIC/);
});

test('an address is lost, and competing flows are had, in one transfer and before its end', async () => {
  assert.deepEqual(await possible('quic-go:h2+migration=100kb,quic-go:h3+migration=100kb'), []);
  const late = await refusal('quic-go:h2+migration=2mb,quic-go:h3+migration=2mb');
  assert.match(late.message, /migration=2mb would come after the end of download-1mb/);
  const several = await refusal('quic-go:h2+competingflows=2,quic-go:h3+competingflows=2', 'download-1mb-x4');
  assert.match(several.message, /has competing flows in one transfer alone, and download-1mb-x4 has several/);
});

test('what is about a body that comes down is refused an upload', async () => {
  assert.deepEqual(await possible('quic-go:h2,quic-go:h3', 'upload-1mb'), []);
  assert.deepEqual(await possible('chromium:h2,chromium:h3', 'upload-form'), []);
  for (const factor of ['migration=100kb', 'competingflows=2', 'resume=session']) {
    const refused = await refusal(`quic-go:h2,quic-go:h2+${factor}`, 'upload-1mb');
    assert.match(refused.message, /is about a body that comes down, and upload-1mb sends one up/);
  }
  assert.deepEqual(await possible('chromium:h2,chromium:h3', 'upload-form-xhr'), []);
  const unpaged = await refusal('quic-go:h2,quic-go:h3', 'upload-1mb-xhr');
  assert.match(
    unpaged.message,
    /quic-go has no page, and upload-1mb-xhr is sent by the XMLHttpRequest of one/,
  );
  assert.match(unpaged.next ?? '', /Take upload-1mb, or a browser/);
});

test('a client that cannot lose its address in a way is refused with the ways that it knows', async () => {
  assert.deepEqual(await possible('curl:h2+migration=100kb,quic-go:h3+migration=100kb'), []);
  const moved = await refusal('quic-go:h2,curl:h3+migration=100kb', 'download-1mb', speaking);
  assert.match(moved.message, /curl cannot move its connection over h3 when it loses its address/);
  assert.match(moved.next ?? '', /migration=100kb-reconnect, migration=100kb-restart; quic-go/);
  const again = await refusal('quic-go:h2,quiche:h3+migration=100kb-restart', 'download-1mb', speaking);
  assert.match(again.message, /quiche cannot connect again and ask for all over h3/);
});

test('HTTP/3 is discovered by a browser that is left to itself, and forced where it is forced', async () => {
  const left = 'chromium:auto+discovery=alt-svc,chromium:auto+discovery=https-record';
  assert.deepEqual(await possible(left, 'page-agency'), []);
  assert.deepEqual(await possible('chromium:h2,chromium:h3+discovery=forced', 'page-agency'), []);
  for (const [arm, reason] of [
    ['auto+discovery=forced', /forced makes a client use HTTP\/3, and protocol=auto leaves it free/],
    [
      'h3+discovery=https-record',
      /lets a client find HTTP\/3 by itself, and protocol=h3 makes it use HTTP\/3/,
    ],
    ['h2+discovery=alt-svc', /an arm over TCP alone never does/],
  ] as const)
    assert.match((await refusal(`chromium:h2,chromium:${arm}`, 'page-agency')).message, reason);
  const command = await refusal('quic-go:h2,quic-go:auto+discovery=alt-svc');
  assert.match(command.message, /sets discovery, which the client quic-go does not know/);
});

test('IPv6 is had where the link is ours, and a choice of both versions by a browser', async () => {
  assert.deepEqual(await possible('quic-go:h2+family=6,quic-go:h3+family=6'), []);
  const faulty = 'chromium:h2+family=both+ipv6=broken,chromium:h2+family=both+aaaa=+300ms';
  assert.deepEqual(await possible(faulty, 'page-agency'), []);
  assert.deepEqual(
    await possible('chromium:auto+discovery=alt-svc+family=6+aaaa=+1s,chromium:h2', 'page-agency'),
    [],
  );
  for (const [arm, reason] of [
    ['h2+family=6+ipv6=broken', /ipv6=broken is about a choice between IPv4 and IPv6, and this arm has none/],
    ['h2+ipv6=slow+50ms', /ipv6=slow\+50ms is about a choice/],
    ['h2+aaaa=+300ms', /aaaa=\+300ms holds back AAAA records, and in this arm no client asks for them/],
    ['h2+family=6+aaaa=+300ms', /no client asks for them/],
    [
      'h3+resolver=loses-10%',
      /resolver=loses-10% loses questions about names, and in this arm no client asks any/,
    ],
    ['h2+family=6+resolver=loses-10%', /no client asks any/],
    [
      'auto+discovery=alt-svc+https-answer=+1s',
      /https-answer=\+1s holds back HTTPS records, and in this arm/,
    ],
  ] as const)
    assert.match((await refusal(`chromium:h2,chromium:${arm}`, 'page-agency')).message, reason);
  const losing =
    'chromium:auto+discovery=alt-svc+resolver=loses-10%,chromium:h2+family=both+resolver=loses-50%';
  assert.deepEqual(await possible(losing, 'page-agency'), []);
  const command = await refusal('quic-go:h2,quic-go:h2+family=both');
  assert.match(command.message, /sets family, which the client quic-go does not know/);
});

test('priorities are switched by the server that can, and left out by the client that can', async () => {
  const switched = 'chromium:h3+priorities=off,chromium:h3+priorities=on';
  assert.deepEqual(await possible(switched.replaceAll('h3', 'h3+server=go'), 'page-agency'), []);
  const unable = await refusal(switched, 'page-agency');
  assert.match(unable.message, /caddy has no switch for priorities/);
  assert.match(unable.next ?? '', /go can/);
  const sender = await refusal('chromium:h3,chromium:h3+priorities=none', 'page-agency');
  assert.match(sender.message, /sets priorities: the client chromium has no switch for priorities/);
  const firefox: Clients = new Map([
    ...clients,
    ['firefox', { ...browser, id: 'firefox', family: 'firefox' }],
  ]);
  assert.deepEqual(await possible('firefox:h3,firefox:h3+priorities=none', 'page-agency', firefox), []);
});

test('early data is for QUIC alone', async () => {
  assert.deepEqual(await possible('quic-go:h2+resume=session,quic-go:h3+resume=session'), []);
  const refused = await refusal('quic-go:h2,quic-go:h2+resume=0rtt');
  assert.match(refused.message, /resume=0rtt.* over HTTP\/3 alone/);
  assert.match(refused.next ?? '', /resume=session/);
  const program = await refusal('curl:h2,curl:h2+resume=0rtt');
  assert.match(program.message, /curl resumes sessions here and sends no early data/);
  const over = await refusal('curl:h3,curl:h3+resume=session', 'download-1mb', speaking);
  assert.match(over.message, /curl takes up no session over h3/);
});

test('early data of a command-line client is for servers that take it', async () => {
  for (const server of ['caddy', 'nginx@1.30', 'nginx@1.29.1'])
    assert.deepEqual(
      await possible(`quic-go:h3+resume=session+server=${server},quic-go:h3+resume=0rtt+server=${server}`),
      [],
    );
  for (const server of ['nginx', 'nginx@1.26', 'haproxy', 'haproxy@3.2', 'go']) {
    const { message, next } = await refusal(`quic-go:h3,quic-go:h3+resume=0rtt+server=${server}`);
    assert.match(message, new RegExp(`${server} takes no early data \\(resume=0rtt\\) over h3`));
    assert.match(next ?? '', /caddy and nginx@1\.30 do/);
  }
});

test('a browser’s early data is for protocols over which the server takes it', async () => {
  assert.deepEqual(await possible('chromium:h3+resume=session,chromium:h3+resume=0rtt'), []);
  const named = 'chromium:h2+resume=0rtt+server=nginx,chromium:h3+resume=0rtt+server=nginx@1.30';
  assert.deepEqual(await possible(named), []);
  const overTcp = await refusal('chromium:h2,chromium:h2+resume=0rtt');
  assert.match(overTcp.message, /caddy takes no early data .* over h2/);
  const older = await refusal('chromium:h3,chromium:h3+resume=0rtt+server=nginx');
  assert.match(older.message, /nginx takes no early data .* over h3/);
  assert.match(older.next ?? '', /nginx@1\.30/);
});

test('chains, groups and compression that one end has not are refused before anything starts', async () => {
  const browsers = 'chromium:h2+certificate=22kb,chromium:h3+certificate=22kb';
  assert.deepEqual(await possible(browsers), []);
  assert.deepEqual(await possible('quic-go:h2+certificate=16kb,quic-go:h3+certificate=9kb'), []);
  const long = await refusal('quic-go:h2,quic-go:h3+certificate=16kb');
  assert.match(long.message, /quic-go refuses certificate chains of 16kb over HTTP\/3/);
  const none = await refusal('chromium:h2,chromium:h2+certificatecompression=on+server=nginx@1.30');
  assert.match(none.message, /no way to compress certificates in common: brotli against zlib, zstd/);
  const always = await refusal('curl:h2,curl:h2+certificatecompression=off+server=envoy');
  assert.match(always.message, /Envoy compresses certificates by zlib for curl over QUIC/);
  const old = await refusal('chromium:h2,chromium:h2+certificatecompression=on+server=nginx');
  assert.match(old.message, /nginx has no switch for the compression of certificates/);
  const group = await refusal('chromium:h3,chromium:h3+keyexchange=mlkem+server=envoy');
  assert.match(group.message, /envoy has no switch for the key exchange over QUIC/);
  for (const server of ['go', 'ngtcp2'])
    assert.match(
      (await refusal(`quic-go:h3,quic-go:h3+keyexchange=x25519+server=${server}`)).message,
      new RegExp(`${server} has no switch for the key exchange over QUIC`),
    );
  const both = await refusal(
    'chromium:h2,chromium:h2+keyexchange=mlkem+certificatecompression=on+server=envoy',
  );
  assert.match(both.message, /has no switch for the key exchange|cannot be read back/);
});

test('the exchange of keys goes by the version of the server', async () => {
  const hybrid = (server: string): string => `chromium:h3,chromium:h3+keyexchange=mlkem+server=${server}`;
  for (const server of ['caddy', 'caddy@2.10', 'caddy@2', 'nginx@1.26', 'haproxy@3.2'])
    assert.deepEqual(await possible(hybrid(server)), [], server);
  const old = await refusal(hybrid('caddy@2.9'));
  assert.match(old.message, /Caddy has no X25519MLKEM768 before 2\.10 \(keyexchange=mlkem\)/);
  const curve = hybrid('caddy@2.9').replace('mlkem', 'x25519');
  assert.deepEqual(await possible(curve), [], 'the curve alone every version has');
});

test('coalescing wants a browser', async () => {
  const program = await refusal('quic-go:h2,quic-go:h2+coalescing=on');
  assert.match(program.message, /sets coalescing, which the client quic-go does not know/);
});

test('a browser resumes a session where its server ends connections, and is refused elsewhere', async () => {
  assert.deepEqual(await possible('chromium:h2+resume=session,chromium:h3+resume=session'), []);
  for (const [arm, workload] of [
    ['chromium:h2+resume=session+server=haproxy', 'download-1mb'],
    ['chromium:h2+resume=session+proxy=envoy', 'download-1mb'],
    ['chromium:h2+resume=session', 'page-agency'],
  ] as const)
    assert.match(
      (await refusal(`chromium:h2,${arm}`, workload)).message,
      /a browser resumes a session in downloads from caddy or nginx alone/,
    );
});

test('what no server can be told is refused with who can, or is unsupported where the rest can run', async () => {
  const cipher = await refusal('quic-go:h2+cipher=aes128,quic-go:h3+cipher=aes128');
  assert.match(cipher.message, /caddy has no switch for the cipher suites/);
  assert.match(cipher.next ?? '', /nginx, haproxy can/);
  const behind = await refusal('quic-go:h2+proxy=envoy+cipher=aes128+server=nginx,quic-go:h2+cipher=aes128');
  assert.match(behind.message, /envoy has no switch/);
  const old = await refusal('quic-go:h2,quic-go:h3+tls=1.2');
  assert.match(old.message, /QUIC has TLS 1\.3 in it/);
  const both = await refusal('quic-go:h2,quic-go:h2+tls=1.2+cipher=aes128+server=nginx');
  assert.match(both.message, /tls=1\.2 has none of them/);
  const paced = await refusal('quic-go:h2,quic-go:h3+pacing=on');
  assert.match(paced.message, /QUIC paces as its implementation does/);
  assert.deepEqual(
    await possible('quic-go:h2+server=nginx,quic-go:h2+server=nginx+cipher=chacha20+pacing=on'),
    [],
  );
  const [line = ''] = await possible('quic-go:h2,quic-go:h2+pacing=on,quic-go:h3+pacing=on');
  assert.match(line, /QUIC paces .*: 1 trial unsupported/);
});

test('a missing client is the machine’s fault', async () => {
  assert.equal((await refusal('firefox:h2,firefox:h3')).code, 'unsupported');
});

test('in a larger run the rest goes on, and each reason is said once with what it costs', async () => {
  const lines = await possible('quic-go:h2,quic-go:h3,curl:h3');
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /curl 1\.0 speaks no HTTP\/3 here; `npx h2h3 setup --system` fetches .*: 1 trial unsupported/,
  );
});

test('a server that speaks HTTP/3 alone, to programs alone, is refused with the reason for all else', async () => {
  const congestion = 'quic-go:h3+server=ngtcp2,quic-go:h3+congestion=bbr+server=ngtcp2';
  assert.deepEqual(await possible(congestion), []);
  for (const [arms, reason] of [
    ['quic-go:h2,quic-go:h2+server=ngtcp2', /ngtcp2 speaks HTTP\/3 alone, not h2/],
    ['chromium:h3,chromium:h3+server=ngtcp2', /ngtcp2 sends downloads to command-line clients alone/],
    ['quic-go:h3+proxy=envoy,quic-go:h3+proxy=envoy+server=ngtcp2', /ngtcp2 stands behind no proxy/],
  ] as const)
    assert.match((await refusal(arms)).message, reason);
});

test('a player is refused where the rule is ours, in a broadcast, and where nothing is played', async () => {
  const arms = 'chromium:h3+player=dashjs@5,chromium:h3+player=hlsjs';
  assert.deepEqual(await possible(arms, 'video-ci-1s-own-4s'), []);
  for (const workload of ['video-ci-2s-bba', 'video-ci-2s-own-live', 'page-agency']) {
    const { code, message } = await refusal(arms, workload);
    assert.equal(code, 'usage');
    assert.match(
      message,
      new RegExp(`sets player: the workload ${workload} has no other player: name a video`),
    );
  }
});
