import { H2h3Error } from '../../src/core/model/errors.ts';
import { browserDriver } from './browsers/browser-driver.ts';
import { browserFamilies } from './browsers/registry.ts';
import type { ClientDriver } from './client-driver.ts';
import { commandClients } from './commands/registry.ts';
import { commandDriver } from './commands/command-driver.ts';

/** Every client's driver, by its family. */
export const clientDrivers: ReadonlyMap<string, ClientDriver> = new Map<string, ClientDriver>([
  ...Object.entries(browserFamilies).map(([id, family]) => [id, browserDriver(family)] as const),
  ...commandClients.map((client) => [client.id, commandDriver(client)] as const),
]);

/** @throws H2h3Error `internal` for a family that nothing drives */
export function driverOf(family: string): ClientDriver {
  const driver = clientDrivers.get(family);
  if (driver === undefined) throw new H2h3Error('internal', `nothing drives clients of the family ${family}`);
  return driver;
}
