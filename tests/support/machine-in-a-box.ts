import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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
  /** The link on this side. */
  readonly link: string;
  /** Ids here of all processes there, but for the SSH server's own. */
  readonly processes: () => readonly number[];
  /** Home of its user, seen from here. */
  readonly home: string;
  readonly stop: () => Promise<void>;
}

const programs = ['/usr/sbin/sshd', '/usr/bin/ssh-keygen', '/usr/bin/unshare'];
const startLimitMs = 60_000;

/** Why there can be none here; null where there can. */
export function boxLack(): string | null {
  if (process.getuid?.() !== 0) return 'a machine in a box takes root';
  const lacking = programs.find((program) => !existsSync(program));
  if (lacking !== undefined) return `no ${lacking}: npx h2h3 setup --system --with sshd`;
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `no namespaces here: ${stderr.trim()}`;
}

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @param folder empty, and removed by the caller when it has stopped */
export async function startBox(folder: string): Promise<MachineInABox> {
  const name = `h2h3box${process.pid}`;
  const link = `hb${process.pid}`;
  const number = process.pid % 250;
  const here = `10.77.${number}.1`;
  const address = `10.77.${number}.2`;
  chmodSync(folder, 0o755);
  const home = join(folder, 'home');
  const tools = join(home, '.cache', 'h2h3', 'tools');
  mkdirSync(tools, { recursive: true });
  for (const key of ['host-key', 'user-key'])
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key));
  const fields = readFileSync(join(folder, 'host-key.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(join(folder, 'known_hosts'), `[${address}]:2222 ${fields}\n`);
  writeFileSync(join(folder, 'sshd_config'), serverConfig(folder, address));
  writeFileSync(join(folder, 'ssh_config'), clientConfig(folder, address));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // OpenSSH finds its configuration by the user's entry, and not by HOME.
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${join(folder, 'ssh_config')}' "$@"\n`, {
    mode: 0o755,
  });
  mkdirSync('/run/sshd', { recursive: true });
  run('ip', 'netns', 'add', name);
  const remove = (): void => {
    spawnSync('ip', ['netns', 'del', name]);
    spawnSync('ip', ['link', 'del', link]);
  };
  try {
    run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    run('ip', 'address', 'add', `${here}/24`, 'dev', link);
    run('ip', 'link', 'set', link, 'up');
    for (const words of [`address add ${address}/24 dev eth0`, 'link set eth0 up', 'link set lo up'])
      run('ip', '-n', name, ...words.split(' '));
    const script = `hostname farbox; mount --bind '${home}' "$HOME"; mount --bind '${join(projectDir, '.h2h3', 'tools')}' "$HOME/.cache/h2h3/tools"; exec /usr/sbin/sshd -D -e -f '${join(folder, 'sshd_config')}'`;
    const unshare = ['unshare', '--mount', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const child = spawn('ip', ['netns', 'exec', name, ...unshare, 'sh', '-c', script], {
      stdio: 'ignore',
      env: { ...markedEnvironment(), HOME: process.env['HOME'] ?? '/root' },
    });
    const inside = (): number[] => run('ip', 'netns', 'pids', name).split('\n').filter(Boolean).map(Number);
    const own = (pid: number): boolean =>
      /^(?:sshd|unshare|sh\b.*hostname farbox|ip)/.test(commandLineOf(pid));
    const box: MachineInABox = {
      host: 'farbox',
      address,
      environment: { PATH: [bin, process.env['PATH']].join(delimiter) },
      link,
      processes: () => inside().filter((pid) => !own(pid)),
      home,
      stop: async () => {
        inside().forEach(killIfThere);
        child.kill('SIGKILL');
        await waitUntil('the box is empty', startLimitMs, () => inside().length === 0);
        remove();
      },
    };
    await waitUntil('its SSH server answers', startLimitMs, () => {
      const words = ['-F', join(folder, 'ssh_config'), '-o', 'BatchMode=yes', 'farbox', 'true'];
      return spawnSync('/usr/bin/ssh', words, { stdio: 'ignore' }).status === 0;
    });
    return box;
  } catch (thrown) {
    remove();
    throw thrown;
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
    `SetEnv PATH=${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  ].join('\n');

const clientConfig = (folder: string, address: string): string =>
  [
    'Host farbox',
    `  HostName ${address}`,
    '  Port 2222',
    '  User root',
    `  IdentityFile ${join(folder, 'user-key')}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${join(folder, 'known_hosts')}`,
    '  GlobalKnownHostsFile /dev/null',
  ].join('\n');
