import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factors } from '../../../../src/core/factors/registry.ts';
import { valueOf, valuesFor, valuesOf } from '../../../../src/core/factors/values.ts';

test('values come typed, with their units', () => {
  assert.deepEqual(
    valuesOf({ offloads: 'off', mtu: '1400', tcpbuffers: '2mb', cpu: '25%', competingflows: '4' }),
    {
      offloads: 'off',
      mtu: { bytes: 1400 },
      tcpbuffers: { bytes: 2 * 1024 * 1024 },
      cpu: { percent: 25 },
      competingflows: { count: 4, transport: 'tcp' },
    },
  );
  assert.deepEqual(
    valuesOf({ migration: '2mb-restart', prefers: 'reduced-motion:reduce/color-scheme:dark' }),
    {
      migration: { afterBytes: 2_000_000, then: 'restart' },
      prefers: [
        { name: 'prefers-reduced-motion', value: 'reduce' },
        { name: 'prefers-color-scheme', value: 'dark' },
      ],
    },
  );
  assert.deepEqual(valuesOf({ flags: ' --a  --b=c ', proxy: 'envoy/envoy-h3', protocol: undefined }), {
    flags: ['--a', '--b=c'],
    proxy: ['envoy', 'envoy-h3'],
  });
});

test('competing flows load over TCP unless QUIC is named', () => {
  assert.deepEqual(valuesOf({ competingflows: '1@quic' }).competingflows, { count: 1, transport: 'quic' });
  for (const text of ['0', '17', '@quic', '1@tcp', 'quic'])
    assert.throws(() => valuesOf({ competingflows: text }), /competingflows/, text);
});

test('each is given what it must apply, and what it is hinted', () => {
  const set = { protocol: 'h3', server: 'nginx', cipher: 'aes128', mtu: '1400', resume: '0rtt' } as const;
  assert.deepEqual(valuesFor(['link'], set), { mtu: { bytes: 1400 } });
  assert.deepEqual(valuesFor(['sender', 'server'], set), {
    cipher: 'aes128',
    resume: { endsIdleAfterMs: 1000, earlyData: true },
  });
  assert.deepEqual(valuesFor(['client'], set), { resume: '0rtt' });
});

test('what is no factor, and what is no value of one, is refused with what was meant', () => {
  assert.throws(() => valuesOf({ congestio: 'bbr' }), { next: /Did you mean congestion\?/ });
  assert.throws(() => valuesOf({ mtu: '9000' }), /invalid value "9000" of mtu: bytes from 1280/);
});

test('every value is written as it is read, and read as it is written', () => {
  for (const factor of factors) {
    const examples = factor.example.split(', ');
    const values = examples.map((text) => valueOf(factor, text));
    values.forEach((value, index) => assert.equal(factor.form.write(value), examples[index], factor.id));
  }
});
