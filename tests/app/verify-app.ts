/**
 * Answers "would HTTP/3 help my app?" for real applications of the registries, each by two commands of docs/your-app.md: one that
 * compares the protocols over 4G, and one that compares two servers before it. It fails unless every trial of both counts and
 * nothing of the application is left:
 *
 *     npm run verify:app [-- jupyterlab node-red] [--blocks 6] [--network 4g] [--folder DIR]
 *
 * The folder of the runs is kept where it is named.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { readRaw } from '../../src/store/evidence.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { applications, pythonWith, secretVariables } from '../replay/applications.ts';
import { projectDir, readRecords, readSummary, startProgram } from '../support/cli.ts';

/** An application as a user starts it, and the page that is measured. */
interface App {
  readonly id: string;
  readonly title: string;
  /** Path of the page, with a leading slash. */
  readonly path: string;
  /** A script that logs in before it is loaded. */
  readonly logIn?: string;
  /** Whether its page keeps web sockets. */
  readonly opensSockets: boolean;
  /** The command line that starts it. @param folder an empty folder for its files */
  readonly command: (port: number, folder: string, setup: SetupContext) => Promise<string>;
}

const nodeRed = 'node-red@5.0.7';
const installLimitMs = 10 * 60_000;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** A script of its own, because a command line shows all that is in it to everybody. */
function scripted(
  folder: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): string {
  const file = join(folder, 'start.sh');
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  writeFileSync(file, `${exports.join('')}cd ${quoted(folder)}\nexec ${words.map(quoted).join(' ')}\n`, {
    mode: 0o700,
  });
  return `sh ${quoted(file)}`;
}

const pythonApps = applications.map((application): App => ({
  id: application.id,
  title: application.title,
  path: application.path,
  ...(application.logIn === undefined ? {} : { logIn: application.logIn }),
  opensSockets: application.id === 'jupyterlab',
  command: async (port, folder, setup) => {
    const python = await pythonWith(application, setup);
    const { args, environment } = application.start(port, folder);
    return scripted(folder, [python, ...args], environment);
  },
}));

const apps: readonly App[] = [
  ...pythonApps,
  {
    id: 'node-red',
    title: 'Node-RED 5.0.7: an editor of one page, with a web socket (Node)',
    path: '/',
    opensSockets: true,
    command: async (port, folder, setup) => {
      const directory = await setup.cache.install(`application-${nodeRed}`, async (target) => {
        mkdirSync(target, { recursive: true });
        const args = ['install', '--no-audit', '--no-fund', '--prefix', target, nodeRed];
        const { exitCode, stderr } = await setup.run('npm', args, { timeoutMs: installLimitMs });
        if (exitCode !== 0) throw new Error(`${nodeRed} cannot be installed: ${tailOf(stderr, 3)}`);
      });
      const program = join(directory, 'node_modules/node-red/red.js');
      return scripted(folder, [process.execPath, program, '--port', String(port), '--userDir', folder], {});
    },
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    blocks: { type: 'string', default: '6' },
    network: { type: 'string', default: '4g' },
    folder: { type: 'string' },
  },
});
const unknown = positionals.filter((id) => !apps.some((app) => app.id === id));
if (unknown.length > 0) throw new Error(`no application is called ${unknown.join(', ')}`);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function h2h3(args: readonly string[], out: string): Promise<void> {
  const words = [process.execPath, join(projectDir, 'src/cli/launcher.js'), ...args, '--out', out];
  const cli = startProgram(words, secretVariables);
  cli.child.stderr?.pipe(process.stderr);
  const beganMs = performance.now();
  const { code, stdout } = await cli.result;
  say(stdout.split('\n').slice(0, 4).join('\n'));
  say(`  exit ${code} after ${Math.round((performance.now() - beganMs) / 1000)} s: h2h3 ${args.join(' ')}`);
  assert.equal(code, 0, stdout);
}

/** Every trial counts, each object is in our server's log, and there is a verdict, whatever it is. */
function requireProof(out: string, app: App): void {
  const records = readRecords(out);
  const lost = records
    .filter(({ status }) => status !== 'ok')
    .map(({ trialId, reason }) => [trialId, reason]);
  assert.deepEqual(lost, []);
  const { comparisons } = readSummary(out);
  const primary = comparisons.find((comparison) => comparison.primary);
  assert.ok(primary, 'a verdict');
  const thought = comparisons.find(({ metric }) => metric === 'appThinkMs');
  assert.ok((thought?.baseline.median ?? 0) > 0, 'the time of the app');
  for (const { artifacts, arm, warnings } of records) {
    assert.doesNotMatch(warnings.join('\n'), /led on to .*login/, 'the page behind the log-in');
    const raw = readRaw(dirname(join(out, String(artifacts['raw']))));
    const expected = arm.startsWith('h2') ? 'h2' : 'h3';
    const objects = (raw.serverLog ?? []).filter(
      ({ status, method }) => status !== 101 && method !== 'CONNECT',
    );
    assert.ok(objects.length > 0 && objects.every(({ protocol }) => protocol === expected), arm);
    assert.equal((raw.app?.sockets.length ?? 0) > 0, app.opensSockets, `web sockets of ${app.id}`);
  }
  say(
    `  ${records.length} trials count. ${primary.metric}: ${primary.verdict}, ratio ${primary.ratio?.toFixed(3)}`,
  );
}

async function verify(app: App, setup: SetupContext): Promise<void> {
  say(`\n${app.title}`);
  const folder = mkdtempSync(join(os.tmpdir(), `h2h3-app-${app.id}-`));
  try {
    const port = await choosePort(undefined);
    const files = join(folder, 'app');
    mkdirSync(files);
    const command = await app.command(port, files, setup);
    const script = join(folder, 'log-in.ts');
    if (app.logIn !== undefined) writeFileSync(script, app.logIn);
    const usual = [
      'run',
      `http://localhost:${port}${app.path}`,
      '--server-command',
      command,
      '--network',
      values.network,
      '--repetitions',
      values.blocks,
      '--recorded',
      '1',
      ...(app.logIn === undefined ? [] : ['--login', script, '--app-host', 'own']),
    ];
    const runs = values.folder === undefined ? folder : join(values.folder, app.id);
    const protocols = join(runs, 'protocols');
    await h2h3(usual, protocols);
    requireProof(protocols, app);
    const servers = join(runs, 'servers');
    await h2h3([...usual, '--arm', 'h3+server=caddy', '--arm', 'h3+server=nginx'], servers);
    requireProof(servers, app);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`), 'the application is ended with the run');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const setup = await createSetupContext({ projectDir });
for (const app of apps)
  if (positionals.length === 0 || positionals.includes(app.id)) await verify(app, setup);
