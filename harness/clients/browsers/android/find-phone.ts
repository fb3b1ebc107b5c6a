import { shellWord } from '../../../../src/core/model/command-words.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { findOnPath } from '../../../../src/core/system/find-executable.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';
import type { ClientIdentity } from '../../client.ts';
import { Phone } from './phone.ts';

/** Chrome as phones come with it; `H2H3_ANDROID_APP` names another channel, such as `com.chrome.beta`. */
export const chromeApp = 'com.android.chrome';
const prefix = 'android@';

/** Whether a client's name is a phone's: `android`, or `android@` with the serial number that `adb devices` prints. */
export const isPhoneName = (spec: string): boolean => spec === 'android' || spec.startsWith(prefix);

/**
 * Chrome on the phone that is named, on the one of `ANDROID_SERIAL`, or on the only one.
 * @throws H2h3Error `unsupported` without adb, without a phone that is ready, or without leave to clear its Chrome.
 */
export async function findPhone(spec: string, context: SetupContext): Promise<ClientIdentity> {
  const program = await findOnPath('adb', context);
  if (program === undefined)
    throw needsPhone('there is no program called adb here', 'Install it (Debian: npx h2h3 setup --system).');
  const serial = await serialOf(spec, program, context);
  const { H2H3_ANDROID_APP: app = chromeApp, H2H3_ANDROID_CLEARS: clears } = context.environment;
  if (clears !== '1')
    throw new H2h3Error('unsupported', 'Chrome on the phone may not be cleared yet', {
      context: { app, phone: serial },
      next: 'Every trial empties it: tabs, history, passwords and accounts in it are gone. For a phone kept for tests set H2H3_ANDROID_CLEARS=1.',
    });
  const environment = { ANDROID_SERIAL: serial, H2H3_ANDROID_APP: app };
  const phone = new Phone({ executablePath: program, environment }, context.run);
  const told = await phone.shell(`dumpsys package ${shellWord(app)}`);
  const version = /versionName=(\S+)/.exec(told)?.[1];
  if (version === undefined)
    throw needsPhone(`the phone ${serial} has no ${app}`, 'Install Chrome there, or set H2H3_ANDROID_APP.');
  return {
    id: spec,
    family: 'android',
    name: 'Chrome on Android',
    version,
    build: 'full',
    source: 'system',
    executablePath: program,
    headed: true,
    environment,
  };
}

async function serialOf(spec: string, program: string, context: SetupContext): Promise<string> {
  const asked = spec.startsWith(prefix) ? spec.slice(prefix.length) : context.environment['ANDROID_SERIAL'];
  const listed = await new Phone({ executablePath: program, environment: {} }, context.run).adb('devices');
  const phones = [...listed.matchAll(/^(\S+)\t(\S+.*)$/gm)].map(([, serial = '', state = '']) => ({
    serial,
    state,
  }));
  const said = phones.map(({ serial, state }) => `${serial} (${state})`).join(', ');
  const found = phones.filter(({ serial }) => asked === undefined || serial === asked);
  const [phone] = found;
  if (phone === undefined)
    throw needsPhone(
      asked === undefined ? 'adb sees none' : `adb sees no ${asked}${said === '' ? '' : `, but ${said}`}`,
      'Connect one with USB debugging on; `adb devices` must list it.',
    );
  if (found.length > 1) throw needsPhone(`adb sees several: ${said}`, 'Name one: --client android@SERIAL.');
  if (phone.state !== 'device')
    throw needsPhone(
      `${phone.serial} is ${phone.state}`,
      'Unlock the phone and allow debugging by this machine.',
    );
  return phone.serial;
}

function needsPhone(why: string, next: string): H2h3Error {
  return new H2h3Error('unsupported', `needs a phone over adb: ${why}`, { next });
}
