import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { parseArms, type ArmInput } from '../../../src/plan/arms.ts';

function refusal(...arms: ArmInput[]): H2h3Error {
  try {
    parseArms(arms);
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown;
    throw thrown;
  }
  return assert.fail(`${JSON.stringify(arms)} was taken`);
}

test('an arm is a protocol, a client before it, and any factors behind it', () => {
  const [arm] = parseArms(['chromium@153:h3+congestion=bbr+url=https://b.example/?a+b=c']);
  assert.deepEqual(arm?.factors, {
    client: 'chromium@153',
    protocol: 'h3',
    congestion: 'bbr',
    url: 'https://b.example/?a+b=c',
  });
});

test('a plus sign belongs to a value unless a factor’s name and = follow it', () => {
  const [arm] = parseArms(['h3+flags=--enable-features=A,B --x=1+2+network=cable']);
  assert.deepEqual(arm?.factors, {
    protocol: 'h3',
    flags: '--enable-features=A,B --x=1+2',
    network: 'cable',
  });
  assert.equal(parseArms(['h3+fault=delay=+400ms'])[0]?.factors.fault, 'delay=+400ms');
});

test('an object of factors is the same arm as its text', () => {
  const [text, object] = parseArms(['h3+server=nginx', { protocol: 'h3', server: 'nginx', label: 'ours' }]);
  assert.deepEqual(object?.factors, text?.factors);
  assert.deepEqual([text?.label, object?.label], ['h3+server=nginx', 'ours']);
});

test('labels are for people, slugs for folders: letters, digits, dots and dashes, each once', () => {
  const slugs = parseArms(['h2', 'h2', '/opt/x y/chrome:h3', 'h3+flags=--a=../..', 'h3+flags=--a=..-..']).map(
    ({ slug }) => slug,
  );
  assert.equal(new Set(slugs).size, slugs.length);
  for (const slug of slugs) assert.match(slug, /^[a-z0-9][a-z0-9.-]*$/);
});

test('what is no arm is refused with what was meant', () => {
  assert.match(refusal('h4').message, /unknown arm "h4"/);
  assert.match(refusal('h3+sever=nginx').next ?? '', /Did you mean server\?/);
  assert.match(refusal('h3+server=nginx+congestio=bbr').next ?? '', /Did you mean congestion\?/);
  assert.match(refusal('h3+server=a+server=b').message, /sets server twice/);
  assert.match(refusal('h3+offloads=maybe').message, /invalid value "maybe" of offloads: on or off/);
  for (const cpu of ['50', '2%', '-10%', 'half'])
    assert.match(refusal(`h3+cpu=${cpu}`).message, /invalid value ".*" of cpu: a share of one CPU/);
  for (const mtu of ['1279', '1501', '9000', '1e3'])
    assert.match(refusal(`h3+mtu=${mtu}`).message, /invalid value ".*" of mtu/);
  assert.match(refusal('h3+tcpbuffers=64').message, /invalid value ".*" of tcpbuffers/);
  assert.match(refusal('h3+cipher=rc4').message, /invalid value "rc4" of cipher: aes128, aes256 or chacha20/);
  assert.match(refusal('h2+pacing=off').message, /invalid value ".*" of pacing/);
  assert.match(refusal('h3+storage=tape').message, /invalid value ".*" of storage/);
  assert.match(refusal('h3+server=').message, /gives server no value/);
  assert.match(refusal({ server: 'nginx' }).message, /names no protocol/);
  assert.match(
    refusal({ protocol: 'h3', label: 'x' }, { protocol: 'h2', label: 'x' }).message,
    /called "x" but set different factors/,
  );
});
