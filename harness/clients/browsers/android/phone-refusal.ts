import { liveNetwork, liveServer } from '../../../../src/core/model/live-names.ts';
import type { ClientDriver } from '../../client-driver.ts';

/** A phone is on a network of its own: no server and no path inside this machine is in its reach. */
export const phoneRefusal: NonNullable<ClientDriver['refusal']> = ({ name }, workload, _protocol, way) => {
  if (way?.front !== liveServer)
    return `${name} reaches no server inside this machine (adb forwards TCP alone): it loads addresses (--url), not ${workload.id}`;
  if (way.network !== liveNetwork)
    return `${name} is on the phone's own network, which this machine does not shape`;
  if (workload.view === 'repeat') return `${name} is emptied for every trial: it has no second visits`;
  return undefined;
};
