import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** Whether `file` is a file that this user may execute. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Every reason (absent, no permission, a dangling link) has the same meaning here: it cannot be run.
    return false;
  }
}

export interface SearchPlace {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Absolute path of the first program of this name on PATH, or undefined. */
export async function findOnPath(name: string, place: SearchPlace): Promise<string | undefined> {
  const windows = place.platform === 'win32';
  const searchPath = place.environment['PATH'] ?? place.environment['Path'] ?? '';
  const extensions = windows ? ['.exe', '.cmd', '.bat'] : [''];
  for (const directory of searchPath.split(windows ? ';' : ':')) {
    if (directory === '') continue;
    for (const extension of extensions) {
      const candidate = path.join(directory, name + extension);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}
