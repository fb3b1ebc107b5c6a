import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopback } from '../../../../harness/network/loopback.ts';
import { linkSettings, requireReachable, requireSettings } from '../../../../src/app/exec/link-settings.ts';
import { networkNamed, noNetwork } from '../../../../src/app/exec/network-named.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { h2h3Words, linkWords } from '../../../../src/core/model/program-words.ts';
import { setupContextIn } from '../../../support/setup-context.ts';

const setup = setupContextIn('/nowhere');
const linkSettingsOf = (texts: readonly string[]) => linkSettings(texts, h2h3Words);
const usage = (message: RegExp) => (thrown: unknown) =>
  thrown instanceof H2h3Error &&
  thrown.code === 'usage' &&
  message.test(`${thrown.message} ${thrown.next} ${thrown.context.expected}`);

test('factors of the link are read by their own forms', () => {
  assert.deepEqual(linkSettingsOf([]), {});
  assert.deepEqual(linkSettingsOf(['beside=call']), linkSettingsOf(['crosstraffic=call']));
  assert.deepEqual(linkSettingsOf(['mtu=1400', 'tcpbuffers=256kb']), {
    mtu: { bytes: 1400 },
    tcpbuffers: { bytes: 262_144 },
  });
});

test('what is no factor of a link, or no value of it, is refused in a sentence', () => {
  assert.throws(() => linkSettingsOf(['cpu=25%']), usage(/cpu does not belong to the link.*run --set.*mtu/));
  assert.throws(() => linkSettingsOf(['mtuu=1400']), usage(/no factor "mtuu".*Did you mean mtu\?/));
  assert.throws(() => linkSettingsOf(['mtu=9000']), usage(/invalid value "9000" of mtu/));
  assert.throws(() => linkSettingsOf(['mtu']), usage(/FACTOR=VALUE/));
});

test('a network is known by its name, and an unknown one answered with the nearest', () => {
  assert.equal(networkNamed('cable', setup).id, 'cable');
  assert.equal(networkNamed(noNetwork, setup), loopback);
  assert.throws(() => networkNamed('cabel', setup), usage(/unknown network "cabel".*Did you mean cable\?/));
  assert.throws(() => networkNamed('loopback', setup), usage(/unknown network "loopback"/));
});

test('what a network cannot have is refused before it is made', () => {
  requireSettings(loopback, {});
  requireSettings(networkNamed('cable', setup), linkSettingsOf(['mtu=1400']));
  assert.throws(() => requireSettings(loopback, linkSettingsOf(['mtu=1400'])), usage(/it has no link/));
  assert.throws(
    () => requireSettings(networkNamed('cable', setup), linkSettingsOf(['offloads=on'])),
    usage(/cable cannot be set so: nothing larger/),
  );
});

test('what is listed and what sets other factors is said in the words of the program', () => {
  const inLink = usage(/^(?!.*npx h2h3 ).*npx h2h3-link (?:factors|networks)/);
  const program = { ...setup, program: linkWords };
  assert.throws(() => linkSettings(['cpu=25%'], linkWords), inLink);
  assert.throws(() => linkSettings(['what=1'], linkWords), inLink);
  assert.throws(() => networkNamed('cabel', program), inLink);
});

test('with IPv6 alone a command asks a server at the far end, since all else is led over IPv4', () => {
  const v6 = linkSettingsOf(['family=6']);
  const far = { localPorts: [], far: 'serve', world: 'where-possible' } as const;
  requireReachable(v6, far);
  requireReachable(v6, { ...far, far: undefined, world: 'none' });
  requireReachable(linkSettingsOf(['family=both']), { ...far, localPorts: [3000] });
  assert.throws(() => requireReachable(v6, { ...far, localPorts: [3000] }), usage(/led over IPv4.*--far/));
  assert.throws(
    () => requireReachable(v6, { ...far, far: undefined, world: 'required' }),
    usage(/nothing beyond the network is reached.*--far/),
  );
});
