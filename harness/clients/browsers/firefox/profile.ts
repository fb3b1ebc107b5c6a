import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Preferences } from './preferences.ts';

/** Holds the preferences of a profile. */
export const preferencesFile = 'user.js';

/** Writes the preferences of a new profile. */
export async function writeProfile(profileDir: string, preferences: Preferences): Promise<void> {
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profileDir, preferencesFile), `${lines.join('\n')}\n`);
}
