import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './cli.ts';

/**
 * Where only root may open the emulator's device, the user is given one of its own: in a mount namespace, so that the machine
 * stays as it is.
 */
const withDevice =
  '[ "$(stat -c %a /dev/net/tun)" = 666 ] || { mount -t tmpfs none /dev/net && mknod -m 0666 /dev/net/tun c 10 200; } && exec "$@"';

/** As whom programs run where the tests themselves are run by root: the user that systems call nobody. */
const ordinaryUserId = 65_534;

/** How a program is started as a user without any privilege. */
export interface OrdinaryUser {
  /** Words before it. */
  readonly prefix: readonly string[];
  /** With a home, a folder for temporary files, and caches of tools and of npm of its own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly userId: number;
}

/** An ordinary user with everything of its own below `folder`, or why there can be none, or none that makes namespaces. */
export function ordinaryUser(folder: string): OrdinaryUser | string {
  const isRoot = process.getuid?.() === 0;
  const userId = isRoot ? ordinaryUserId : (process.getuid?.() ?? -1);
  const user = ['--reuid', String(userId), '--regid', String(userId), '--clear-groups', '--no-new-privs'];
  const unprivileged = ['setpriv', ...user, '--inh-caps=-all', '--bounding-set=-all', '--'];
  const prefix = isRoot ? ['unshare', '--mount', 'sh', '-c', withDevice, 'sh', ...unprivileged] : [];
  const namespaces = ['unshare', '--user', '--map-root-user', '--net', 'test', '-w', '/dev/net/tun'];
  const [program = '', ...args] = [...prefix, ...namespaces];
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) return `no path for an ordinary user here: ${error?.message ?? stderr.trim()}`;
  const own = (...names: readonly string[]): string => {
    const directory = join(folder, ...names);
    mkdirSync(directory, { recursive: true });
    if (isRoot) chownSync(directory, userId, userId);
    return directory;
  };
  own();
  const environment = {
    HOME: own('home'),
    TMPDIR: own('tmp'),
    H2H3_CACHE: own('cache'),
    // By `npm run` they are set to root's, which an ordinary user may not read.
    npm_config_cache: own('npm'),
    npm_config_userconfig: join(own('home'), '.npmrc'),
  };
  shareTools(own('cache', 'tools'));
  return { prefix, environment, userId };
}

/** What this checkout has built and fetched need not be made again. */
function shareTools(directory: string): void {
  const tools = join(projectDir, '.h2h3', 'tools');
  for (const name of existsSync(tools) ? readdirSync(tools) : [])
    if (!/\.lock|\.partial-/.test(name)) symlinkSync(join(tools, name), join(directory, name));
}
