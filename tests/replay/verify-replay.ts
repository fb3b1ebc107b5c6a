import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/system/free-port.ts';
import { projectDir, startCli } from '../support/cli.ts';
import { testEnvironment } from '../support/test-scope.ts';
import {
  applications,
  pythonWith,
  secretVariables,
  startApplication,
  type Application,
} from './applications.ts';
import { replayPage, type Verified } from './replay-page.ts';

/**
 * Records real applications, loads original and replay in both browsers over both protocols, and writes what came of it
 * to docs/replay.md: `npm run verify:replay`, two to three minutes an application, `-- jupyterlab` for one of them. What
 * was measured before is kept below `results/` and stays in the page.
 */
const resultsDir = join(projectDir, 'results');
const repetitions = 2;
/** Firefox cannot be told of another place for a live name, and needs none for this one. */
const host = 'localhost';
const asked = process.argv.slice(2);
const unknown = asked.filter((id) => !applications.some((application) => application.id === id));
if (unknown.length > 0) throw new Error(`no application is called ${unknown.join(', ')}`);

function loopbacks(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return ['127.0.0.1', ...(own.some(({ address }) => address === '::1') ? ['[::1]'] : [])];
}

/** An HTTP/1.1, HTTP/2 and HTTP/3 server before an application that speaks none but the first. */
async function startFront(
  ports: { readonly own: number; readonly application: number },
  folder: string,
  setup: SetupContext,
): Promise<() => void> {
  const caddy = await ensureCaddy(setup);
  const { certificateFile, keyFile } = await (
    await openCertificateStore({ cache: setup.cache })
  ).filesFor(host);
  const handle = [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${ports.application}` }] }];
  const server = {
    // Chromium asks for QUIC at the address that it tries first, which is that of IPv6 where there is one.
    listen: loopbacks().map((address) => `${address}:${ports.own}`),
    ...{ automatic_https: { disable: true }, tls_connection_policies: [{}], routes: [{ handle }] },
  };
  const load_files = [{ certificate: certificateFile, key: keyFile }];
  const apps = { http: { servers: { front: server } }, tls: { certificates: { load_files } } };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'caddy.json');
  writeFileSync(file, JSON.stringify({ admin: { disabled: true }, apps }));
  const env = { ...process.env, ...testEnvironment() };
  const child = spawn(caddy.path, ['run', '--config', file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let waitedMs = 0; !said.includes('serving initial configuration'); waitedMs += 50) {
    if (child.exitCode !== null || waitedMs > 20_000) throw new Error(`Caddy did not start: ${said}`);
    await sleep(50);
  }
  return () => void child.kill('SIGKILL');
}

async function h2h3(args: readonly string[]): Promise<number> {
  const cli = startCli(args, secretVariables);
  cli.child.stderr?.pipe(process.stderr);
  const beganMs = performance.now();
  const { code, stdout } = await cli.result;
  // Trials that came out invalid are in the page; whatever else went wrong ends this.
  if (code !== 0 && code !== 4) throw new Error(`h2h3 ${args.join(' ')}: exit ${code}\n${stdout}`);
  return performance.now() - beganMs;
}

async function verify(application: Application, setup: SetupContext): Promise<void> {
  const folder = join(resultsDir, `replay-${application.id}`);
  rmSync(folder, { recursive: true, force: true });
  const python = await pythonWith(application, setup);
  const ports = { own: await choosePort(undefined), application: (await choosePort(undefined)) + 1 };
  const running = await startApplication(application, {
    ...{ python, port: ports.application },
    folder: join(folder, 'application'),
  });
  let stopFront: (() => void) | undefined;
  try {
    stopFront = await startFront(ports, join(folder, 'front'), setup);
    const url = `https://${host}:${ports.own}${application.path}`;
    const live = ['--connect-to', `${host}:${ports.own}:127.0.0.1:${ports.own}`, '--insecure'];
    const archive = join(folder, 'archive');
    const logIn = join(folder, 'log-in.ts');
    if (application.logIn !== undefined) writeFileSync(logIn, application.logIn);
    const settled = application.deterministic === true ? ['--deterministic'] : [];
    const access = application.logIn === undefined ? [] : ['--login', logIn];
    const recordMs = await h2h3([
      'record',
      url,
      ...live,
      ...settled,
      ...access,
      '--out',
      archive,
      '--keep-bodies-with-secrets',
    ]);
    const rest = [
      ...['--client', 'chromium,firefox', '--repetitions', String(repetitions), '--exploratory'],
      '--out',
    ];
    await h2h3(['run', '--url', url, '--insecure', ...access, ...rest, join(folder, 'original')]);
    await h2h3(['run', '--sites', archive, '--think-time', ...rest, join(folder, 'replay')]);
    writeFileSync(join(folder, 'recorded.json'), JSON.stringify({ recordMs }));
  } finally {
    stopFront?.();
    running.kill('SIGTERM');
  }
}

const setup = await createSetupContext({ projectDir });
for (const application of applications)
  if (asked.length === 0 || asked.includes(application.id)) await verify(application, setup);

const verified = applications.flatMap((application): Verified[] => {
  const folder = join(resultsDir, `replay-${application.id}`);
  const file = join(folder, 'recorded.json');
  if (!existsSync(file)) return [];
  return [{ application, folder, ...(JSON.parse(readFileSync(file, 'utf8')) as { recordMs: number }) }];
});
writeFileSync(join(projectDir, 'docs/replay.md'), await replayPage(verified));
