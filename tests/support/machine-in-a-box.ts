import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { foundOr } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { projectDir } from './cli.ts';
import { killIfThere, waitUntil } from './processes.ts';
import { markedEnvironment } from './test-scope.ts';

/** Another machine: an OpenSSH server behind a link, with network, mounts, processes and a name of its own. */
export interface MachineInABox {
  /** As `--server-host` is told of it. */
  readonly host: string;
  readonly address: string;
  /** In which `ssh` knows it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of that `ssh`: its command lines name it. */
  readonly sshConfig: string;
  /** The link on this side. */
  readonly link: string;
  /** Its network namespace. */
  readonly namespace: string;
  /** Ids here of all processes there, but for the SSH server's own. */
  readonly processes: () => readonly number[];
  /** Ids here of what serves its SSH connections, one each. */
  readonly sessions: () => readonly number[];
  /** Home of its user, seen from here. */
  readonly home: string;
  /** What runs of h2h3 have left there: processes, and folders that end with a run. */
  readonly leftovers: () => readonly string[];
  /** Takes all room that its home has. Returns what gives it back. */
  readonly fill: () => () => void;
  /** Runs a program of the user's there until the box is stopped, which is none of a run. */
  readonly start: (program: string, ...args: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

const programs = ['/usr/sbin/sshd', '/usr/bin/ssh-keygen', '/usr/bin/unshare'];
const startLimitMs = 60_000;
/** Room of its home, in memory as far as it is used. */
const homeBytes = 8_000_000_000;

/** Why there can be none here; null where there can. */
export function boxLack(): string | null {
  if (process.getuid?.() !== 0) return 'a machine in a box takes root';
  const lacking = programs.find((program) => !existsSync(program));
  if (lacking !== undefined) return `no ${lacking}: npx h2h3 setup --system --with sshd`;
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `no namespaces here: ${stderr.trim()}`;
}

/** Why no emulated path leads on from one machine to the other; null where one does. */
export async function translatorLack(): Promise<string | null> {
  const place = {
    platform: process.platform,
    environment: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  };
  for (const name of ['nft', 'iptables']) if ((await findOnPath(name, place)) !== undefined) return null;
  return 'neither nft nor iptables: npx h2h3 setup --system --with sshd';
}

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Where the box is, and what its files are called here. */
interface BoxPlace {
  /** As `ssh` knows it, and as it calls itself. */
  readonly host: string;
  readonly folder: string;
  /** Of its network namespace. */
  readonly name: string;
  readonly link: string;
  readonly here: string;
  readonly address: string;
  readonly home: string;
}

/** @param at 0 for the first box of this process, 1 for the one beside it */
function placeIn(folder: string, host: string, at: 0 | 1): BoxPlace {
  const network = `10.${77 + at}.${process.pid % 250}`;
  return {
    host,
    folder,
    name: `h2h3box${process.pid}-${at}`,
    link: `hb${process.pid}-${at}`,
    here: `${network}.1`,
    address: `${network}.2`,
    home: join(folder, 'home'),
  };
}

/** Its keys and configurations, and an `ssh` that knows it and the one beside it. Returns the folder of that. */
function writeFiles({ host, folder, address, home }: BoxPlace, beside: MachineInABox | undefined): string {
  chmodSync(folder, 0o755);
  mkdirSync(join(home, '.cache', 'h2h3', 'tools'), { recursive: true });
  mkdirSync(join(home, 'tmp'));
  for (const key of ['host-key', 'user-key'])
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key));
  const fields = readFileSync(join(folder, 'host-key.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(join(folder, 'known_hosts'), `[${address}]:2222 ${fields}\n`);
  writeFileSync(join(folder, 'sshd_config'), serverConfig(folder, address));
  const known = beside === undefined ? '' : readFileSync(beside.sshConfig, 'utf8');
  writeFileSync(join(folder, 'ssh_config'), `${known}\n${clientConfig(host, folder, address)}`);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // OpenSSH finds its configuration by the user's entry, and not by HOME.
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${join(folder, 'ssh_config')}' "$@"\n`, {
    mode: 0o755,
  });
  return bin;
}

function joinNetwork({ name, link, here, address }: BoxPlace): void {
  run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  run('ip', 'address', 'add', `${here}/24`, 'dev', link);
  run('ip', 'link', 'set', link, 'up');
  for (const words of [`address add ${address}/24 dev eth0`, 'link set eth0 up', 'link set lo up'])
    run('ip', '-n', name, ...words.split(' '));
}

/** A link between two boxes, which neither this machine nor any router is on. */
function joinBoxes({ name, address }: BoxPlace, beside: MachineInABox): void {
  const ends = [
    { namespace: name, own: address, other: beside.address },
    { namespace: beside.namespace, own: beside.address, other: address },
  ];
  run(
    'ip',
    '-n',
    name,
    'link',
    'add',
    'eth1',
    'type',
    'veth',
    'peer',
    'name',
    'eth1',
    'netns',
    beside.namespace,
  );
  for (const { namespace } of ends) run('ip', '-n', namespace, 'link', 'set', 'eth1', 'up');
  for (const { namespace, own, other } of ends)
    run('ip', '-n', namespace, 'route', 'add', `${other}/32`, 'dev', 'eth1', 'src', own);
}

/** Its first process, which becomes the SSH server. */
function startServer({ host, folder, name, home }: BoxPlace): ChildProcess {
  const script = `hostname ${host}; mount --bind '${home}' "$HOME"; mount --bind '${join(projectDir, '.h2h3', 'tools')}' "$HOME/.cache/h2h3/tools"; exec /usr/sbin/sshd -D -e -f '${join(folder, 'sshd_config')}'`;
  const unshare = ['unshare', '--mount', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return spawn('ip', ['netns', 'exec', name, ...unshare, 'sh', '-c', script], {
    stdio: 'ignore',
    env: { ...markedEnvironment(), HOME: process.env['HOME'] ?? '/root' },
  });
}

/**
 * @param folder empty, and removed by the caller when it has stopped
 * @param beside another box, which is then known to the same `ssh` and joined to this one by a link of their own
 */
export async function startBox(folder: string, beside?: MachineInABox): Promise<MachineInABox> {
  const place = beside === undefined ? placeIn(folder, 'farbox', 0) : placeIn(folder, 'besidebox', 1);
  const { host, name, link, address, home } = place;
  mkdirSync(home);
  run('mount', '-t', 'tmpfs', '-o', `size=${homeBytes}`, name, home);
  const remove = (): void => {
    spawnSync('ip', ['netns', 'del', name]);
    spawnSync('ip', ['link', 'del', link]);
    spawnSync('umount', ['--lazy', home]);
  };
  try {
    const bin = writeFiles(place, beside);
    mkdirSync('/run/sshd', { recursive: true });
    run('ip', 'netns', 'add', name);
    joinNetwork(place);
    if (beside !== undefined) joinBoxes(place, beside);
    const child = startServer(place);
    const users = new Set<number>();
    const inside = (): number[] => run('ip', 'netns', 'pids', name).split('\n').filter(Boolean).map(Number);
    const own = (pid: number): boolean =>
      users.has(pid) || /^(?:sshd|unshare|sh\b.*hostname (?:far|beside)box|ip)/.test(commandLineOf(pid));
    const processes = (): number[] => inside().filter((pid) => !own(pid));
    const box: MachineInABox = {
      host,
      address,
      environment: { PATH: [bin, process.env['PATH']].join(delimiter) },
      sshConfig: join(folder, 'ssh_config'),
      link,
      namespace: name,
      processes,
      sessions: () => inside().filter((pid) => /^sshd[\w-]*: \w+@/.test(commandLineOf(pid))),
      home,
      leftovers: () => [...processes().map((pid) => commandLineOf(pid)), ...foldersOfRuns(home)],
      fill: () => filled(home),
      start: (program, ...args) => {
        const words = ['netns', 'exec', name, program, ...args];
        users.add(spawn('ip', words, { stdio: 'ignore', env: markedEnvironment() }).pid ?? 0);
      },
      stop: async () => {
        inside().forEach(killIfThere);
        child.kill('SIGKILL');
        await waitUntil('the box is empty', startLimitMs, () => inside().length === 0);
        remove();
      },
    };
    await waitUntil('its SSH server answers', startLimitMs, () => {
      const words = ['-F', join(folder, 'ssh_config'), '-o', 'BatchMode=yes', host, 'true'];
      return spawnSync('/usr/bin/ssh', words, { stdio: 'ignore' }).status === 0;
    });
    return box;
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

/** What is there as long as a run is. */
function foldersOfRuns(home: string): string[] {
  const namesIn = (folder: string): string[] => foundOr(() => readdirSync(folder), []);
  return [
    ...namesIn(join(home, '.cache', 'h2h3', 'far', 'work')),
    ...namesIn(join(home, 'tmp')).filter((name) => name.startsWith('h2h3-')),
  ];
}

/** A run that writes meanwhile uses more than a look at its room has shown: it is looked at so often at the most. */
const maxLooks = 50;

/** Leaves its file system no more room than what is in use. Returns what gives it back. */
function filled(home: string): () => void {
  const resize = (sizeBytes: number): string => run('mount', '-o', `remount,size=${sizeBytes}`, home);
  for (let looks = 1; ; looks++) {
    const { blocks, bfree, bsize } = statfsSync(home);
    try {
      resize((blocks - bfree) * bsize);
      return () => void resize(homeBytes);
    } catch (thrown) {
      // It is less than what is in use by now (tmpfs(5), EINVAL): it is looked at again.
      if (looks === maxLooks) throw thrown;
    }
  }
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      .replaceAll('\0', ' ')
      .replace(/^\/\S*\//, '');
  } catch {
    return 'sshd'; // it has ended
  }
}

const serverConfig = (folder: string, address: string): string =>
  [
    'Port 2222',
    `ListenAddress ${address}`,
    `HostKey ${join(folder, 'host-key')}`,
    `AuthorizedKeysFile ${join(folder, 'user-key.pub')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    `SetEnv TMPDIR=${process.env['HOME'] ?? '/root'}/tmp PATH=${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  ].join('\n');

const clientConfig = (host: string, folder: string, address: string): string =>
  [
    `Host ${host}`,
    `  HostName ${address}`,
    '  Port 2222',
    '  User root',
    `  IdentityFile ${join(folder, 'user-key')}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${join(folder, 'known_hosts')}`,
    '  GlobalKnownHostsFile /dev/null',
  ].join('\n');
