import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Preferences of every trial. Network prediction is off (2: never): with it the full browser opens the first
 * connection ahead of the navigation's request, sometimes over TCP and more rarely over QUIC, which hides the
 * time to connect and treats the arms differently.
 */
const preferences = { net: { network_prediction_options: 2 } };

/** Writes the preferences into an empty profile folder before the browser starts. */
export async function writeProfile(profileDir: string): Promise<void> {
  const folder = join(profileDir, 'Default');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'Preferences'), JSON.stringify(preferences));
}
