import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { H2h3Error, hasErrno } from '../core/model/errors.ts';

/** Where a path really leads; of what is not there yet, where its nearest folder that exists leads. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    if (!hasErrno(thrown, 'ENOENT') || dirname(path) === path) throw thrown;
    return join(realPath(dirname(path)), relative(dirname(path), path));
  }
}

/**
 * The path of `name` below `folder`, which neither `..` nor a symbolic link on the way leads out of; the last part may
 * be a link itself, which removing takes away and nothing follows.
 *
 * @throws H2h3Error `bad-input` when it lies outside
 */
export function pathInside(folder: string, ...name: readonly string[]): string {
  const root = resolve(folder);
  const path = resolve(root, ...name);
  const inside =
    path.startsWith(root + sep) && `${realPath(dirname(path))}${sep}`.startsWith(realPath(root) + sep);
  if (inside) return path;
  throw new H2h3Error('bad-input', `${path} does not lie inside ${root}`, {
    context: { file: path },
    next: 'Nothing was written or removed. The run folder was changed by hand or comes from somebody else.',
  });
}
