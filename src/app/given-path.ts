import { isAbsolute, relative, resolve } from 'node:path';

/** A path as people gave it: an absolute one stays so, anything else is told from the working directory. */
export function givenPath(path: string, given?: string): string {
  if (given !== undefined && isAbsolute(given)) return resolve(path);
  const told = relative(process.cwd(), path);
  // A way that climbs out of the working directory is harder to follow than the whole one.
  return told.startsWith('..') ? resolve(path) : told || '.';
}
