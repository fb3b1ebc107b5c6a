import { KnownDevices } from 'puppeteer-core/internal/common/Device.js';
import { desktop, type Device } from '../src/core/model/device.ts';
import { H2h3Error } from '../src/core/model/errors.ts';
import { didYouMean } from '../src/core/model/nearest-name.ts';

const namesShown = 5;

/** `desktop`, or a phone or tablet by the name that browsers' developer tools give it, in any case. @throws H2h3Error `usage` */
export function deviceNamed(name: string): Device {
  if (simple(name) === desktop.name) return desktop;
  const [known, device] = Object.entries(KnownDevices).find(([each]) => simple(each) === simple(name)) ?? [];
  if (known === undefined || device === undefined) throw unknown(name);
  const { viewport, userAgent } = device;
  return {
    name: known,
    width: viewport.width,
    height: viewport.height,
    scale: viewport.deviceScaleFactor ?? 1,
    mobile: viewport.isMobile ?? false,
    touch: viewport.hasTouch ?? false,
    userAgent,
  };
}

/** Every name that `deviceNamed` knows. */
export function deviceNames(): readonly string[] {
  return [desktop.name, ...Object.keys(KnownDevices)];
}

/** The same without blanks and case, as it stands in a workload's name. */
export function simple(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function unknown(name: string): H2h3Error {
  const [word = ''] = simple(name).split('-');
  const near = deviceNames().filter((known) => simple(known).includes(word));
  const shown = (near.length > 0 ? near : ['desktop', 'iPhone 15', 'Pixel 5', 'Galaxy S9+']).slice(
    0,
    namesShown,
  );
  return new H2h3Error('usage', `unknown device "${name}"`, {
    context: { expected: `for example ${shown.join(', ')}`, got: name },
    next: didYouMean(name, deviceNames(), '`npx h2h3 describe devices` lists them all.'),
  });
}
