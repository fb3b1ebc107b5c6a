import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Preferences of every trial. Network prediction is off (2: never): with it the full browser opens the first
 * connection ahead of the navigation's request, sometimes over TCP and more rarely over QUIC, which hides the
 * time to connect and treats the arms differently.
 */
const preferences = { net: { network_prediction_options: 2 } };

/**
 * Writes the preferences before the browser starts; a profile that has some keeps them.
 *
 * @param nameService where names are asked for by DNS over HTTPS, and nowhere else; undefined: as the machine does
 */
export async function writeProfile(profileDir: string, nameService?: string): Promise<void> {
  const folder = join(profileDir, 'Default');
  const file = join(folder, 'Preferences');
  if (existsSync(file)) return;
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(preferences));
  if (nameService === undefined) return;
  const state = { dns_over_https: { mode: 'secure', templates: nameService } };
  await writeFile(join(profileDir, 'Local State'), JSON.stringify(state));
}
