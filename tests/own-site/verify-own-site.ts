/**
 * Follows README's chapter "Measure your own site" from `git clone` to the report, with a real application out of PyPI behind a
 * log-in in the place of the user's, and says what each step took:
 *
 *     sudo npm run verify:own-site [-- --cached] [--lines 1,3] [--folder DIR]
 *
 * The command lines are those of the chapter, letter by letter: they run where the chapter's host name leads to this machine,
 * which wants root. By default npm's and this project's caches are empty; `--cached` takes those of this user. `--lines` runs some of
 * the chapter's lines; `--folder` keeps the clone, and takes the one that is there.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { projectDir, readRecords } from '../support/cli.ts';
import { ownAddress } from '../support/own-address.ts';
import { markedEnvironment } from '../support/test-scope.ts';
import { textsBelow } from '../support/texts-below.ts';
import { commandsOfChapter } from './chapter.ts';
import { secretVariables, startOwnSite, type OwnSite } from './own-site.ts';

const { values } = parseArgs({
  options: {
    cached: { type: 'boolean', default: false },
    lines: { type: 'string' },
    folder: { type: 'string' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;

/** Where commands run, and with what. */
interface Checkout {
  readonly clone: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs a command line to its end, its output to be seen. @throws Error unless it ends with 0 */
async function run(words: readonly string[], { clone, environment }: Checkout): Promise<void> {
  const [program = '', ...args] = words;
  const child = spawn(program, args, {
    cwd: clone,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject).once('exit', (...ended) => resolve(ended));
  });
  if (code !== 0) throw new Error(`${words.join(' ')}: ${signal ?? `exit code ${code}`}`);
}

/** A command line of the chapter where the site's name leads to this machine. */
const asUser = (command: string, { hostsFile }: OwnSite): string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount --bind "$0" /etc/hosts && exec sh -c "$1"',
  hostsFile,
  command,
];

/** What a command that measures must have left: trials over both protocols, the valid ones proven, and no secret. It ends with 4 where too few are valid. */
function judge(clone: string): string {
  const out = join(clone, 'results/latest');
  if (!existsSync(join(out, 'report.html'))) throw new Error('it left no report');
  const records = readRecords(out);
  const measured = records.filter(({ status }) => status !== 'not-run');
  const valid = measured.filter(({ status }) => status === 'ok');
  if (valid.length === 0) throw new Error('it left no valid trial');
  for (const { trialId, status, reason } of measured)
    if (status !== 'ok') say(`${trialId}: ${status}, ${reason}`);
  for (const { factors, trialId, metrics } of valid)
    if (factors.protocol === undefined || metrics.protocolShare?.[factors.protocol] !== 1)
      throw new Error(`${trialId}: ${JSON.stringify(metrics.protocolShare)}`);
  const told = textsBelow(out).find((text) => text.includes('session=ey') || text.includes('session=.ey'));
  if (told !== undefined) throw new Error('a session cookie stands in the run');
  const steps = new Set(records.flatMap(({ steps: of = [] }) => of.map(({ name }) => name)));
  const networks = new Set(records.map(({ network }) => network));
  return `${valid.length} of ${measured.length} trials valid over ${[...networks].join(', ')}${steps.size === 0 ? '' : `, steps ${[...steps].join(', ')}`}`;
}

async function follow(folder: string, address: string): Promise<void> {
  const caches = join(folder, 'caches');
  const place: Checkout = {
    clone: join(folder, 'h2h3'),
    environment: {
      ...markedEnvironment(),
      ...secretVariables,
      ...(values.cached ? {} : { npm_config_cache: join(caches, 'npm'), XDG_CACHE_HOME: caches }),
    },
  };
  const begunMs = performance.now();
  const isNew = !existsSync(place.clone);
  if (isNew) {
    await run(['git', 'clone', '-q', projectDir, place.clone], { ...place, clone: folder });
    say(`git clone: ${seconds(begunMs)} s`);
    const installMs = performance.now();
    await run(['npm', 'ci', '--no-audit', '--no-fund'], place);
    say(`npm ci (${values.cached ? 'cached' : 'empty caches'}): ${seconds(installMs)} s`);
  }
  const readySeconds = seconds(begunMs);
  // A recording of the same name is refused.
  rmSync(join(place.clone, '.h2h3/archives'), { recursive: true, force: true });
  const siteFolder = join(folder, 'site');
  rmSync(siteFolder, { recursive: true, force: true });
  mkdirSync(siteFolder, { recursive: true });
  const site = await startOwnSite(address, siteFolder, await createSetupContext({ projectDir }));
  try {
    site.giveFiles(place.clone);
    const wanted = values.lines?.split(',').filter((text) => text !== '');
    for (const [index, command] of commandsOfChapter(place.clone).entries()) {
      if (wanted !== undefined && !wanted.includes(String(index + 1))) continue;
      say(`$ ${command}`);
      const lineMs = performance.now();
      await run(asUser(command, site), place);
      const measured = / h2h3 run /.test(command) ? `: ${judge(place.clone)}` : '';
      say(`line ${index + 1}: ${seconds(lineMs)} s${measured}`);
      if (index === 0 && isNew)
        say(`from git clone to the report: ${Math.round(readySeconds + seconds(lineMs))} s`);
    }
  } finally {
    site.stop();
  }
}

const address = ownAddress();
if (process.getuid?.() !== 0 || address === undefined) {
  say('verify:own-site needs root and an address of this machine beside the loopback');
  process.exit(3);
}
const kept = values.folder;
const folder = kept ?? mkdtempSync(join(os.tmpdir(), 'h2h3-own-site-'));
mkdirSync(folder, { recursive: true });
try {
  say(`load ${os.loadavg()[0]?.toFixed(1)}, ${os.availableParallelism()} CPUs`);
  await follow(folder, address);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
