import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { testEnvironment } from '../support/test-scope.ts';

/** A real application that a package registry has: what it is, how it starts, and which of its pages is recorded. */
export interface Application {
  readonly id: string;
  readonly title: string;
  /** Packages of PyPI, pinned. */
  readonly packages: readonly string[];
  /** Path of the page, with a leading slash. */
  readonly path: string;
  /** The script that logs in before it is loaded; absent: nobody need be. */
  readonly logIn?: string;
  /** Recorded with `--deterministic`: its addresses hold the time. */
  readonly deterministic?: true;
  /** What Python is started with, and its variables. @param folder an empty folder for its files */
  start(
    port: number,
    folder: string,
  ): { readonly args: readonly string[]; readonly environment: Readonly<Record<string, string>> };
}

/** Nobody else's: the application runs on the loopback for as long as it is looked at. */
const token = randomBytes(16).toString('hex');
/** Where the log-in script has it from. */
export const secretVariables = { JUPYTER_WORD: token };

export const applications: readonly Application[] = [
  {
    id: 'ihatemoney',
    title: 'I Hate Money 7.2.1: server-rendered (Flask), its demo project behind a redirect that logs in',
    packages: ['ihatemoney==7.2.1'],
    path: '/demo',
    start: (port, folder) => {
      const settings = join(folder, 'settings.py');
      writeFileSync(
        settings,
        `SQLALCHEMY_DATABASE_URI = "sqlite:///${folder}/money.sqlite"\nSECRET_KEY = "${'k'.repeat(32)}"\nACTIVATE_DEMO_PROJECT = True\n`,
      );
      const main = 'import sys; from ihatemoney.manage import cli; sys.exit(cli())';
      return {
        args: ['-c', main, 'run', '--port', String(port)],
        environment: { IHATEMONEY_SETTINGS_FILE_PATH: settings },
      };
    },
  },
  {
    id: 'jupyterlab',
    title: 'JupyterLab 4.6.6: a single page of scripts, behind a log-in form',
    packages: ['jupyterlab==4.6.6'],
    path: '/lab',
    deterministic: true,
    logIn: `export default async ({ page, url, secret }) => {
  await page.goto(url);
  await page.type('#password_input', secret('JUPYTER_WORD'));
  await Promise.all([page.waitForNavigation(), page.click('#login_submit')]);
};
`,
    start: (port, folder) => ({
      args: [
        '-m',
        'jupyterlab',
        '--no-browser',
        '--allow-root',
        '--ip=127.0.0.1',
        `--port=${port}`,
        `--ServerApp.root_dir=${folder}`,
        '--ServerApp.allow_remote_access=True',
        `--IdentityProvider.token=${token}`,
      ],
      environment: Object.fromEntries(
        ['CONFIG_DIR', 'DATA_DIR', 'RUNTIME_DIR'].map((name) => [
          `JUPYTER_${name}`,
          join(folder, `.${name.toLowerCase()}`),
        ]),
      ),
    }),
  },
];

const installLimitMs = 10 * 60_000;
const startLimitMs = 60_000;

/** Python of an environment of its own that has the application, made at first use. */
export async function pythonWith({ id, packages }: Application, setup: SetupContext): Promise<string> {
  const directory = await setup.cache.install(`application-${packages.join('-')}`, async (target) => {
    const python = await findOnPath('python3', setup);
    if (python === undefined) throw new Error('there is no python3 on PATH');
    for (const [program, ...args] of [
      [python, '-m', 'venv', target],
      [join(target, 'bin/python'), '-m', 'pip', 'install', '--quiet', '--no-input', ...packages],
    ] as [string, ...string[]][]) {
      const { exitCode, stderr } = await setup.run(program, args, { timeoutMs: installLimitMs });
      if (exitCode !== 0) throw new Error(`${id} cannot be installed: ${tailOf(stderr, 3)}`);
    }
  });
  return join(directory, 'bin/python');
}

export interface ApplicationPlace {
  readonly python: string;
  readonly port: number;
  readonly folder: string;
  /** Words before its command line. Default: none. */
  readonly launchPrefix?: readonly string[];
}

/** Starts it on a port of the loopback, without TLS; resolves when it answers. The caller kills it. */
export async function startApplication(
  application: Application,
  { python, port, folder, launchPrefix = [] }: ApplicationPlace,
): Promise<ChildProcess> {
  mkdirSync(folder, { recursive: true });
  const { args, environment } = application.start(port, folder);
  const [program = python, ...words] = [...launchPrefix, python, ...args];
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, ...testEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const address = `http://127.0.0.1:${port}${application.path}`;
  for (const giveUpAtMs = performance.now() + startLimitMs; ; await sleep(200)) {
    const answered = await fetch(address).catch(() => undefined);
    await answered?.arrayBuffer();
    if (answered?.ok === true) return child;
    if (child.exitCode === null && performance.now() < giveUpAtMs) continue;
    child.kill('SIGKILL');
    throw new Error(`${application.id} did not start: ${said}`);
  }
}
