import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { testEnvironment } from './test-scope.ts';

/**
 * What behaves as OpenSSH does towards a machine that is reached, which is this one with another home: the first call makes the
 * control socket and stays, and the others run their command.
 */
const reaching = (home: string, address: string): string => `#!/bin/sh
socket=
master=
while [ $# -gt 0 ]; do
  case $1 in
    -M) master=1 ;;
    -N) ;;
    -S) socket=$2; shift ;;
    -o) shift ;;
    --) shift; break ;;
  esac
  shift
done
if [ -n "$master" ]; then
  : > "$socket"
  trap 'rm -f "$socket"; exit 0' TERM
  while :; do sleep 0.05; done
fi
[ -e "$socket" ] || { echo "Connection closed by UNKNOWN port 65535" >&2; exit 255; }
export HOME='${home}' SSH_CONNECTION='127.0.0.1 40000 ${address} 22'
unset XDG_CACHE_HOME H2H3_RUN_ID
exec /bin/sh -c "$2"
`;

/** An `ssh` that fails with these words. */
const failing = (words: string): string => `#!/bin/sh
cat >&2 <<'END'
${words}
END
exit 255
`;

interface StandInSsh {
  /** In which it is the `ssh`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Home of the user on the other machine. */
  readonly home: string;
}

/** Puts such an `ssh` below `folder`. @param fails what it says instead of connecting; default: it connects */
export function standInSsh(folder: string, fails?: string, address = '127.0.0.9'): StandInSsh {
  const home = join(folder, 'home');
  mkdirSync(home);
  const file = join(folder, 'bin', 'ssh');
  mkdirSync(dirname(file));
  writeFileSync(file, fails === undefined ? reaching(home, address) : failing(fails), { mode: 0o755 });
  const path = [dirname(file), dirname(process.execPath), process.env['PATH']].join(delimiter);
  return {
    home,
    environment: { ...(process.env as Record<string, string>), ...testEnvironment(), PATH: path },
  };
}
