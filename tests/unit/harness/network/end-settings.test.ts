import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnd, setEnds } from '../../../../harness/network/end-settings.ts';
import type { ShapedPath } from '../../../../harness/network/shaped-path.ts';

const said = (mtuBytes: number, maxBytes: number): string =>
  [
    `2: h2h3-path@if3: <UP,LOWER_UP> mtu ${mtuBytes} qdisc noqueue state UP mode DEFAULT`,
    `tcp_rmem 4096\t131072\t${maxBytes}`,
    `tcp_wmem 4096\t65536\t${maxBytes}`,
  ].join('\n');

function pathSaying(client: string, server: string): ShapedPath {
  const place = { deviceName: 'h2h3-path' };
  const end = (text: string): unknown => ({ script: () => Promise.resolve(text) });
  return { place, client: end(client), server: end(server) } as unknown as ShapedPath;
}

test('what both ends have is what was read, the smaller of the two', async () => {
  assert.deepEqual(parseEnd(said(1500, 33_554_432)), { mtuBytes: 1500, tcpBufferBytes: 33_554_432 });
  const path = pathSaying(said(1500, 65_536), said(1400, 65_536));
  assert.deepEqual(await setEnds(path, {}), { mtuBytes: 1400, tcpBufferBytes: 65_536 });
});

test('an end that is not as it was wanted is refused', async () => {
  const path = pathSaying(said(1400, 65_536), said(1500, 65_536));
  await assert.rejects(setEnds(path, { mtu: { bytes: 1400 } }), /mtuBytes of this link cannot be 1400/);
  await setEnds(path, { tcpbuffers: { bytes: 65_536 } });
});

test('the initial window is that of all routes of both ends, and refused where one of them has another', async () => {
  const saidWith = (...windows: string[]): string =>
    [
      said(1500, 65_536),
      ...windows.map((window) => `route 198.18.0.1 dev h2h3-path uid 0 cache ${window}`),
    ].join('\n');
  const set = { initialwindow: { packets: 32 } };
  const path = pathSaying(saidWith('initcwnd 32'), saidWith('initcwnd 32', 'initcwnd 32'));
  assert.equal((await setEnds(path, set)).initialWindowPackets, 32);
  const half = pathSaying(saidWith('initcwnd 32'), saidWith('initcwnd 32', ''));
  await assert.rejects(setEnds(half, set), /initialWindowPackets of this link cannot be 32/);
});

test('a client that would not take so large a first flight is given a first receive window that does', async () => {
  const scripts: string[] = [];
  const windowOf = (packets: number): string => `route 198.18.0.1 dev h2h3-path cache initcwnd ${packets}`;
  const setTo = async (packets: number): Promise<void> => {
    const end = {
      script: (text: string) => {
        scripts.push(text);
        return Promise.resolve([said(1500, 65_536), windowOf(packets)].join('\n'));
      },
    };
    const path = { place: { deviceName: 'h2h3-path' }, client: end, server: end } as unknown as ShapedPath;
    await setEnds(path, { initialwindow: { packets } });
  };
  await setTo(40);
  assert.ok(!scripts.some((text) => text.includes('initrwnd') || text.includes('set -- ')));
  scripts.length = 0;
  await setTo(64);
  for (const text of scripts) {
    assert.match(text, /initcwnd 64 initrwnd 80$/m);
    assert.match(text, /set -- \$\(cat (\S+tcp_rmem)\); echo "\$1 240000 \$3" > \1$/m);
  }
});

test('slow start after idle is a fact of both ends, refused where one is otherwise, and left out where they differ', async () => {
  const saidWith = (idle: string): string =>
    `${said(1500, 65_536)}\ntcp_slow_start_after_idle ${idle}\nroute 198.18.0.1 dev h2h3-path uid 0`;
  assert.equal((await setEnds(pathSaying(saidWith('1'), saidWith('1')), {})).slowStartAfterIdle, 'on');
  const off = pathSaying(saidWith('0'), saidWith('0'));
  assert.equal((await setEnds(off, { slowstartafteridle: 'off' })).slowStartAfterIdle, 'off');
  const half = pathSaying(saidWith('0'), saidWith('1'));
  assert.equal('slowStartAfterIdle' in (await setEnds(half, {})), false);
  await assert.rejects(setEnds(half, { slowstartafteridle: 'off' }), /slowStartAfterIdle .* cannot be off/);
});

test('a first receive window of the client’s route is a fact, and none is made up', async () => {
  const routed = (window: string): string =>
    `${said(1500, 65_536)}\nroute 198.18.0.1 dev h2h3-path ${window}`;
  const wide = await setEnds(pathSaying(routed('initrwnd 90'), routed('')), {});
  assert.equal(wide.initialReceiveWindowPackets, 90);
  assert.equal(
    'initialReceiveWindowPackets' in (await setEnds(pathSaying(routed(''), routed('')), {})),
    false,
  );
});
