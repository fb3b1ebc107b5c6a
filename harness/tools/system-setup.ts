import { H2h3Error } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from './setup-context.ts';

/** Debian's packages: both browsers, video, the path emulation's tools, captures of packets, and fonts to paint text with. */
export const systemPackages: readonly string[] = [
  'chromium',
  'chromium-headless-shell',
  'firefox-esr',
  'ffmpeg',
  'ethtool',
  'gcc',
  'libc6-dev',
  'iproute2',
  'util-linux',
  'tshark',
  'perl-base',
  'adb',
  'fonts-liberation',
  'fonts-dejavu-core',
];

/** Packages that only those need who ask for them, by what they are for. */
export const optionalPackages: Readonly<Record<string, readonly string[]>> = {
  webkit: ['webkit2gtk-driver', 'xvfb'],
  // Another machine, and a path that leads on to it.
  sshd: ['openssh-server', 'nftables'],
  // Programs for arm64, which packages bring too, on another kind of machine.
  arm64: ['qemu-user'],
};

const updateTimeoutMs = 10 * 60_000;
const installTimeoutMs = 30 * 60_000;

/**
 * Installs Debian's packages that tests use, and runs of every client and server. The only place that runs a package manager, and only
 * when the user asks. What is installed already is left alone; each command is announced by `say` before it runs.
 * @param wanted names of `optionalPackages`
 * @throws H2h3Error `unsupported` where there is no apt-get or no right to use it, `process-failed` when it fails.
 */
export async function systemSetup(
  context: SetupContext,
  say: (line: string) => void,
  wanted: readonly string[] = [],
): Promise<void> {
  const packages = [...systemPackages, ...wanted.flatMap(packagesOf)];
  if (context.platform !== 'linux' || (await findOnPath('apt-get', context)) === undefined)
    throw new H2h3Error(
      'unsupported',
      'npx h2h3 setup --system works on Debian and its kin only (no apt-get here)',
      {
        next: `Install these by your own means: ${packages.join(' ')}.`,
      },
    );
  const missing = await missingPackages(packages, context);
  if (missing.length === 0) {
    say(`Already installed: ${packages.join(' ')}`);
    return;
  }
  const prefix = await privilege(context, missing);
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  await runAloud([...prefix, 'apt-get', 'update'], updateTimeoutMs, context, say);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  await runAloud([...prefix, ...environment, ...install], installTimeoutMs, context, say);
}

/** @throws H2h3Error `usage` for a part that there is not */
function packagesOf(part: string): readonly string[] {
  const packages = optionalPackages[part];
  if (packages !== undefined) return packages;
  throw new H2h3Error('usage', `--with knows no "${part}"`, {
    context: { expected: Object.keys(optionalPackages).join(', '), got: part },
  });
}

async function missingPackages(packages: readonly string[], context: SetupContext): Promise<string[]> {
  // Exits with 1 when one of them is unknown and still lists the others.
  const format = '${Package} ${db:Status-Status}\\n';
  const { stdout } = await context.run('dpkg-query', ['-W', '-f', format, ...packages], {
    timeoutMs: 30_000,
  });
  const installed = new Set(stdout.split('\n').filter((line) => line.endsWith(' installed')));
  return packages.filter((name) => !installed.has(`${name} installed`));
}

async function privilege(context: SetupContext, missing: readonly string[]): Promise<string[]> {
  const uid = await context.run('id', ['-u'], { timeoutMs: 5_000 });
  if (uid.stdout.trim() === '0') return [];
  // Not interactive: a hidden password prompt would hang for ever.
  const sudo = await findOnPath('sudo', context);
  if (sudo !== undefined) {
    const may = await context.run(sudo, ['-n', 'true'], { timeoutMs: 5_000 });
    if (may.exitCode === 0) return [sudo, '-n'];
  }
  throw new H2h3Error('unsupported', 'Installing packages needs root', {
    next: `Run: sudo apt-get update && sudo apt-get install ${missing.join(' ')}`,
  });
}

async function runAloud(
  command: readonly string[],
  timeoutMs: number,
  context: SetupContext,
  say: (line: string) => void,
): Promise<void> {
  const [program = '', ...args] = command;
  say(command.join(' '));
  const result = await context.run(program, args, {
    timeoutMs,
    environment: context.environment,
    signal: context.signal,
    // Killed half-way it would leave the system's packages broken.
    outlives: true,
  });
  if (result.exitCode === 0) return;
  throw new H2h3Error(
    'process-failed',
    `${program} failed with exit code ${result.exitCode ?? 'none (signal)'}`,
    {
      context: { command: command.join(' '), stderrTail: tailOf(result.stderr) },
    },
  );
}
