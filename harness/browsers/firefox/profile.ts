import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Preferences } from './preferences.ts';

/** Writes the preferences of a new profile. */
export async function writeProfile(profileDir: string, preferences: Preferences): Promise<void> {
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profileDir, 'user.js'), `${lines.join('\n')}\n`);
}
