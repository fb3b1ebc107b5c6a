import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { untilIdle } from '../../src/core/system/processes/idle.ts';
import { treeCpuReader } from '../../src/core/system/processes/tree-cpu.ts';
import { killTree } from '../../src/core/system/processes/kill-tree.ts';
import { temporaryFolderIn } from '../../src/core/system/temporary-folder.ts';
import type { ClientLaunchOptions } from '../clients/client-driver.ts';
import { machineFacts } from '../clients/browsers/chromium/machine-facts.ts';
import { writeProfile as writeChromiumProfile } from '../clients/browsers/chromium/profile.ts';
import { chromiumSwitches } from '../clients/browsers/chromium/switches.ts';
import { firefoxPreferences } from '../clients/browsers/firefox/preferences.ts';
import { writeProfile as writeFirefoxProfile } from '../clients/browsers/firefox/profile.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import type { RunningServer } from '../servers/server.ts';
import { clientEnvironment } from '../../src/core/system/processes/trial-environment.ts';

export interface UninstrumentedOptions {
  readonly launch: ClientLaunchOptions;
  readonly server: RunningServer;
  readonly certificates: CertificateStore;
  /** Words before its command line: the client's namespace and CPUs. */
  readonly prefix: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Where it begins; that page goes on to the page under test by itself. */
  readonly waitingUrl: string;
  /** The page under test asks for this path, with its load time in ms behind it, once it has loaded. */
  readonly reportPath: string;
  readonly limitMs: number;
}

/** Between looks at the length of the server's log, which cost the server's CPU next to nothing. */
const pollMs = 200;
const settled = { intervalMs: 100, intervals: 3, limitMs: 2000 } as const;

/**
 * Load time in ms of a page in a browser that is started without any option of debugging, as the page itself told our server
 * afterwards: what a user's own browser would take.
 *
 * @throws H2h3Error `deadline` where it told nothing
 */
export async function loadUninstrumented(options: UninstrumentedOptions): Promise<number> {
  const { server, reportPath, limitMs } = options;
  const mark = await server.mark();
  const [program = '', ...words] = [...options.prefix, ...(await commandLine(options))];
  const temporary = await temporaryFolderIn(options.launch.profileDir);
  const { environment } = options.launch.client;
  const child = spawn(program, words, {
    detached: true,
    stdio: 'ignore',
    env: { ...clientEnvironment(), ...options.environment, ...temporary, ...environment },
  });
  const { pid } = child;
  if (pid === undefined) throw new H2h3Error('process-failed', `${program} did not start`);
  try {
    await untilIdle(treeCpuReader(pid), settled);
    const endMs = performance.now() + limitMs;
    for (let lengthBefore = mark; performance.now() < endMs;) {
      await sleep(pollMs);
      const length = await server.mark();
      // While the log grows the page loads, and reading it would take the server's CPU from the load.
      if (length === lengthBefore && length > mark) {
        const entries = await server.entriesSince(mark, []);
        const report = entries.find(({ path }) => path.startsWith(reportPath));
        if (report !== undefined) return Number(report.path.slice(reportPath.length));
      }
      lengthBefore = length;
    }
    throw new H2h3Error('deadline', `the page told of no load within ${limitMs} ms`);
  } finally {
    await killTree(pid);
  }
}

async function commandLine({ launch, certificates, waitingUrl }: UninstrumentedOptions): Promise<string[]> {
  const { client, profileDir } = launch;
  await mkdir(profileDir, { recursive: true });
  if (client.family === 'firefox') {
    await writeFirefoxProfile(profileDir, firefoxPreferences(launch));
    await writeFile(join(profileDir, 'cert_override.txt'), await trusted(launch, certificates));
    const headless = launch.headed ? [] : ['--headless'];
    return [
      client.executablePath,
      '--profile',
      profileDir,
      '--no-remote',
      '--new-instance',
      ...headless,
      waitingUrl,
    ];
  }
  await writeChromiumProfile(profileDir);
  return [
    client.executablePath,
    ...chromiumSwitches({ ...launch, startUrl: waitingUrl }, machineFacts(client)),
  ];
}

/** Firefox's file of certificates that its user accepted (nsCertOverrideService): host and port, digest, fingerprint. */
async function trusted(
  { hosts, server }: ClientLaunchOptions,
  certificates: CertificateStore,
): Promise<string> {
  const lines = hosts.map(async (host) => {
    const { certificateFile } = await certificates.filesFor(host);
    const { raw } = new X509Certificate(await readFile(certificateFile));
    const fingerprint = createHash('sha256').update(raw).digest('hex').toUpperCase();
    const pairs = fingerprint.match(/../g)?.join(':') ?? '';
    return `${host}:${server?.port ?? 443}:\tOID.2.16.840.1.101.3.4.2.1\t${pairs}\t`;
  });
  return `${(await Promise.all(lines)).join('\n')}\n`;
}
