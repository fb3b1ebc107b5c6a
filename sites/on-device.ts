import { desktop, type Device } from '../src/core/model/device.ts';
import { H2h3Error } from '../src/core/model/errors.ts';
import type { Workload } from '../src/core/model/workload.ts';
import { deviceNamed, deviceNames, simple } from './devices.ts';
import { pageOfJourney } from '../src/core/model/journey-name.ts';
import { pageOfRepeatView } from './repeat-view.ts';

/** Page and device that a name `NAME@device` means; undefined where it means neither. */
export function pageOnDevice(name: string): { readonly page: string; readonly device: Device } | undefined {
  const [, page, slug = ''] = /^(.+)@([^@]+)$/.exec(name) ?? [];
  const known = deviceNames().find((each) => each !== desktop.name && simple(each) === slug);
  return page === undefined || known === undefined ? undefined : { page, device: deviceNamed(known) };
}

/** Name of the page itself, whatever view of it and whatever device is meant. */
export function pageItself(name: string): string {
  const begun = pageOfJourney(name) ?? name;
  const ofView = pageOfRepeatView(begun) ?? begun;
  return pageOnDevice(ofView)?.page ?? ofView;
}

/** A page as a phone or tablet shows it, `NAME@device`; on the desktop, itself. @throws H2h3Error `usage` for what is no page. */
export function onDevice(workload: Workload, device: Device): Workload {
  if (device.name === desktop.name) return workload;
  if (workload.kind !== 'page')
    throw new H2h3Error('usage', `only pages are shown on a device: ${workload.id}`, {
      context: { expected: 'a page', got: `a ${workload.kind}` },
    });
  const id = `${workload.id}@${simple(device.name)}`;
  const title = `${workload.title}, on ${device.name}`;
  return {
    ...workload,
    id,
    title,
    prepare: async (context) => ({ ...(await workload.prepare(context)), id, title, device }),
  };
}
