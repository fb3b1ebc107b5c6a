import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopback } from '../../../../harness/network/loopback.ts';
import { linkSettings, requireSettings } from '../../../../src/app/exec/link-settings.ts';
import { networkNamed, noNetwork } from '../../../../src/app/exec/network-named.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { setupContextIn } from '../../../support/setup-context.ts';

const setup = setupContextIn('/nowhere');
const usage = (message: RegExp) => (thrown: unknown) =>
  thrown instanceof H2h3Error &&
  thrown.code === 'usage' &&
  message.test(`${thrown.message} ${thrown.next} ${thrown.context.expected}`);

test('factors of the link are read by their own forms', () => {
  assert.deepEqual(linkSettings([]), {});
  assert.deepEqual(linkSettings(['beside=call']), linkSettings(['crosstraffic=call']));
  assert.deepEqual(linkSettings(['mtu=1400', 'tcpbuffers=256kb']), {
    mtu: { bytes: 1400 },
    tcpbuffers: { bytes: 262_144 },
  });
});

test('what is no factor of a link, or no value of it, is refused in a sentence', () => {
  assert.throws(() => linkSettings(['cpu=25%']), usage(/cpu does not.*run --set.*mtu/));
  assert.throws(() => linkSettings(['mtuu=1400']), usage(/no factor "mtuu".*Did you mean mtu\?/));
  assert.throws(() => linkSettings(['mtu=9000']), usage(/invalid value "9000" of mtu/));
  assert.throws(() => linkSettings(['mtu']), usage(/FACTOR=VALUE/));
});

test('a network is known by its name, and an unknown one answered with the nearest', () => {
  assert.equal(networkNamed('cable', setup).id, 'cable');
  assert.equal(networkNamed(noNetwork, setup), loopback);
  assert.throws(() => networkNamed('cabel', setup), usage(/unknown network "cabel".*Did you mean cable\?/));
  assert.throws(() => networkNamed('loopback', setup), usage(/unknown network "loopback"/));
});

test('what a network cannot have is refused before it is made', () => {
  requireSettings(loopback, {});
  requireSettings(networkNamed('cable', setup), linkSettings(['mtu=1400']));
  assert.throws(() => requireSettings(loopback, linkSettings(['mtu=1400'])), usage(/it has no link/));
  assert.throws(
    () => requireSettings(networkNamed('cable', setup), linkSettings(['offloads=on'])),
    usage(/cable cannot be set so: nothing larger/),
  );
});
