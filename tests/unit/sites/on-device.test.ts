import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PreparedWorkload } from '../../../src/core/model/workload.ts';
import { deviceNamed } from '../../../sites/devices.ts';
import { onDevice, pageItself } from '../../../sites/on-device.ts';
import { selectSites } from '../../../sites/select-sites.ts';
import { urlWorkload } from '../../../sites/pages/url-workload.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';

const phone = deviceNamed('pixel 5');

test('devices have the names of developer tools, in any case', () => {
  assert.deepEqual(
    [phone.name, phone.width, phone.scale, phone.mobile, phone.touch],
    ['Pixel 5', 393, 3, true, true],
  );
  assert.match(phone.userAgent ?? '', /Android/);
  assert.equal(deviceNamed('Desktop').width, 1350);
  assert.throws(
    () => deviceNamed('pixel 99'),
    (error) =>
      error instanceof H2h3Error && error.code === 'usage' && /Pixel/.test(error.context.expected ?? ''),
  );
});

test('a page on a device has a name of its own, by which it is found again', async () => {
  const prepare = (): Promise<PreparedWorkload> => Promise.resolve({} as PreparedWorkload);
  const page = onDevice({ ...urlWorkload('https://a.test/'), prepare }, phone);
  assert.equal(page.id, 'url-a.test@pixel-5');
  assert.equal((await page.prepare(undefined as never)).device?.name, 'Pixel 5');
  assert.deepEqual(
    selectSites('page-agency@pixel-5@repeat').map(({ id, view }) => [id, view]),
    [['page-agency@pixel-5@repeat', 'repeat']],
  );
  assert.equal(pageItself('page-agency@pixel-5@repeat'), 'page-agency');
  assert.equal(pageItself('page-agency'), 'page-agency');
});

test('on the desktop a page is itself, and what is no page is refused', () => {
  const page = urlWorkload('https://a.test/');
  assert.equal(onDevice(page, deviceNamed('desktop')), page);
  assert.throws(() => onDevice({ ...page, kind: 'download' }, phone), /only pages/);
});
