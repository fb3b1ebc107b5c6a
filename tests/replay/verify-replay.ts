import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { choosePinning, pinningContext } from '../../harness/testbed/pinning.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import { projectDir, startProgram } from '../support/cli.ts';
import { startFront } from '../support/front-server.ts';
import { twoPorts } from '../support/live-site.ts';
import {
  applications,
  pythonWith,
  secretVariables,
  startApplication,
  type Application,
} from './applications.ts';
import { loads, replayPage, rounds, type Recorded, type Verified } from './replay-page.ts';

/**
 * Has a page with everything that is hard to replay check itself, recorded and imported, in both browsers over both protocols
 * (`-- checks` does this alone), then records real applications, loads original and replay likewise, and writes what came of it to
 * results/replay.md: `npm run verify:replay`, two to three minutes an application, `-- jupyterlab` for one of them. What was
 * measured before is kept below `results/` and stays in the page.
 */
const resultsDir = join(projectDir, 'results');
/** Firefox cannot be told of another place for a live name, and needs none for this one. */
const host = 'localhost';
const asked = process.argv.slice(2);
const ofChecks = 'checks';
const unknown = asked.filter(
  (id) => id !== ofChecks && !applications.some((application) => application.id === id),
);
if (unknown.length > 0) throw new Error(`no application is called ${unknown.join(', ')}`);

/** A run gives browser and server CPUs of their own where it starts both: original and replay are to have the same. */
const pinning = choosePinning(pinningContext(availableParallelism()));

async function h2h3(args: readonly string[], prefix: readonly string[] = []): Promise<number> {
  const cli = startProgram(
    [...prefix, process.execPath, join(projectDir, 'src/cli/launcher.js'), ...args],
    secretVariables,
  );
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
  const [own, ofApplication] = await twoPorts();
  const ports = { own, application: ofApplication };
  const launchPrefix = pinPrefix(pinning.serverCpus);
  const running = await startApplication(application, {
    python,
    launchPrefix,
    port: ports.application,
    folder: join(folder, 'application'),
  });
  let stopFront: (() => void) | undefined;
  try {
    stopFront = await startFront({ host, ports, launchPrefix, folder: join(folder, 'front') }, setup);
    const url = `https://${host}:${ports.own}${application.path}`;
    const live = ['--connect-to', `${host}:${ports.own}:127.0.0.1:${ports.own}`, '--insecure'];
    const archive = join(folder, 'archive');
    const logIn = join(folder, 'log-in.ts');
    if (application.logIn !== undefined) writeFileSync(logIn, application.logIn);
    const settled = application.deterministic === true ? ['--deterministic'] : [];
    const access = application.logIn === undefined ? [] : ['--login', logIn];
    const rest = ['--client', 'chromium,firefox', '--repetitions', '1', '--exploratory', '--out'];
    const ofOriginal = ['run', '--url', url, '--insecure', ...access, ...rest];
    // An application may remember that somebody was here, so its first visitor, who is recorded, would get another page.
    await h2h3([...ofOriginal, join(folder, 'before')], pinPrefix(pinning.browserCpus));
    const recordMs = await h2h3([
      'record',
      url,
      ...live,
      ...settled,
      ...access,
      '--loads',
      String(loads),
      '--out',
      archive,
      '--keep-bodies-with-secrets',
    ]);
    // In turns, so that both meet what else the machine does.
    for (let round = 0; round < rounds; round++) {
      await h2h3([...ofOriginal, join(folder, `original-${round}`)], pinPrefix(pinning.browserCpus));
      await h2h3(['run', '--sites', archive, '--think-time', ...rest, join(folder, `replay-${round}`)]);
    }
    const recorded: Recorded = { recordMs, loadAverage: loadavg()[0] ?? 0 };
    writeFileSync(join(folder, 'recorded.json'), JSON.stringify(recorded));
  } finally {
    stopFront?.();
    running.kill('SIGTERM');
  }
}

/** Of a recording in both browsers over both protocols, of a HAR of Playwright's, and of exports to HAR and WARC. */
const trialsOfChecks = 7;

/** @throws Error where a check fails that such an archive can pass, and where a trial was not made */
async function verifyChecks(): Promise<void> {
  const file = 'tests/e2e/sites-tricky.test.ts';
  const words = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap'];
  const { code, stdout } = await startProgram([process.execPath, ...words, file]).result;
  const told = [...stdout.matchAll(/(\d+) of (\d+) checks pass: .*/g)];
  for (const [line] of told) process.stdout.write(`${line}\n`);
  if (code !== 0 || told.length < trialsOfChecks) throw new Error(`too few checks pass\n${stdout}`);
}

if (asked.length === 0 || asked.includes(ofChecks)) await verifyChecks();
const setup = await createSetupContext({ projectDir });
for (const application of applications)
  if (asked.length === 0 || asked.includes(application.id)) await verify(application, setup);

const verified = applications.flatMap((application): Verified[] => {
  const folder = join(resultsDir, `replay-${application.id}`);
  const file = join(folder, 'recorded.json');
  if (!existsSync(file)) return [];
  return [{ application, folder, ...(JSON.parse(readFileSync(file, 'utf8')) as Recorded) }];
});
// The checks alone say nothing of applications.
if (asked.length === 0 || asked.some((id) => id !== ofChecks))
  writeFileSync(join(resultsDir, 'replay.md'), await replayPage(verified));
