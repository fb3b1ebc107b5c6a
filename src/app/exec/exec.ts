import { statSync } from 'node:fs';
import { loopback } from '../../../harness/network/loopback.ts';
import type { PathCheckUse } from '../../../harness/network/network.ts';
import { proxiedNetwork } from '../../../harness/network/proxy/proxied-network.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { formerNamesIn, formerNamesNotice } from '../../core/factors/former-names.ts';
import type { PathCheckDepth } from '../../core/model/path-check-depth.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { CommandRun, ExecReport } from '../../core/model/exec-report.ts';
import { findOnPath, isExecutable } from '../../core/system/find-executable.ts';
import { openRunScope, type RunScope } from '../../core/system/processes/run-scope.ts';
import { requireWritable, writeWhole } from '../../core/system/write-whole.ts';
import type { AppContext } from '../app-context.ts';
import { openCommandLink, type CommandLink } from './command-link.ts';
import { checkWords, endWords } from './exec-words.ts';
import { linkSettings, requireReachable, requireSettings } from './link-settings.ts';
import type { OwnNetwork } from './link-types.ts';
import { networkVariable } from './link-variables.ts';
import { requireListeners, unledWords } from './local-listeners.ts';
import { networkNamed, noNetwork, orByProxy, pathSetupOf } from './network-named.ts';
import { isOwnNetwork, ownNetwork } from './own-network.ts';
import { openPath, type OpenPath, type PathRequest } from './open-path.ts';
import { risen } from './path-answers.ts';
import { requireNoLink } from './second-link.ts';
import { requireWorld, type WorldUse } from './world.ts';
import { runCommand, type CommandEnd, type PassSignals } from './run-command.ts';

export interface ExecRequest {
  /** Names; `none` is without a path. */
  readonly networks: readonly string[];
  /** One more network, by its figures. */
  readonly own?: OwnNetwork;
  /** Runs over each of them. */
  readonly repeat: number;
  /** `FACTOR=VALUE` each. */
  readonly set: readonly string[];
  readonly localPorts: readonly number[];
  readonly far: string | undefined;
  readonly check: PathCheckUse;
  /** Default: `full`. */
  readonly checkDepth?: PathCheckDepth;
  readonly world: WorldUse;
  /** Shapes TCP alone, by a proxy of this machine, where no namespaces can be made. */
  readonly proxy: boolean;
  readonly jsonFile: string | undefined;
  readonly command: readonly string[];
}

export { tableRows } from './exec-words.ts';

/** How often a path is looked at while a command runs: a few comparisons. */
const lookEachMs = 200;

/** As shells have it for a command that is not there, or is no program. */
const notFound = 127;
const notExecutable = 126;

/** What came of it; the report is null where the command cannot be run. */
export interface Executed {
  readonly exitCode: number;
  readonly report: ExecReport | null;
}

/**
 * Runs a command behind one path after the other. Lines of its own go to the context's progress; standard input, output and
 * error are the command's. Nothing of it is left, however it ends.
 *
 * @throws H2h3Error `usage` for an unknown name, `unsupported` where no path can be made
 */
export async function exec(
  request: ExecRequest,
  context: AppContext,
  passSignals: PassSignals,
): Promise<Executed> {
  const own = request.own !== undefined && isOwnNetwork(request.own) ? [ownNetwork(request.own)] : [];
  const names = [...request.networks, ...own.map(({ id }) => id)];
  const setup = await pathSetupOf(context, orByProxy);
  const { program } = setup;
  if (names.length === 0)
    throw new H2h3Error('usage', 'no network is named', {
      next: `Name one: ${program.behind('cable')}. Or give figures such as --down 10mbit --rtt 80ms. \`${program.networkList}\` lists the names.`,
    });
  const say = (line: string): void => context.progress.say(`${program.name}: ${line}`);
  const settings = linkSettings(request.set, program);
  formerNamesNotice(formerNamesIn(request.set)).forEach(say);
  const providers = names.map((name) =>
    networkNamed(name, setup, own, request.proxy ? proxiedNetwork : undefined),
  );
  providers.forEach((provider) => requireSettings(provider, settings));
  if (request.jsonFile !== undefined) requireWritable(request.jsonFile, '--json');
  const why = await notRunnableReason(request.command, setup);
  if (why !== null) {
    say(why.message);
    return { exitCode: why.exitCode, report: null };
  }
  const isBehindPath = providers.some(({ id }) => id !== loopback.id);
  if (isBehindPath) {
    requireNoLink(context.environment);
    requireReachable(settings, request);
    if (request.far === undefined) await requireListeners(request.localPorts);
    // Every server is asked across a proxy.
    if (!request.proxy) (await unledWords(request)).forEach(say);
  }
  if (request.world === 'required' && isBehindPath && !request.proxy)
    await requireWorld(request.command, setup);
  for (const provider of providers) await provider.require?.({ settings: [settings], builds: true });
  const scope = await openRunScope(say);
  try {
    const report = reportOf(request);
    for (const provider of providers) {
      const path = { provider, settings, ...request };
      if (await overPath(path, request, { setup, scope, report, context, passSignals, say })) break;
    }
    return { exitCode: report.runs.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0, report };
  } finally {
    await scope.reaper.finish();
  }
}

/** What one call shares over all paths. */
interface Call {
  readonly setup: SetupContext;
  readonly scope: RunScope;
  /** Grows with each run. */
  readonly report: ExecReport;
  readonly context: AppContext;
  readonly passSignals: PassSignals;
  /** Says a line in the name of the program. */
  readonly say: (line: string) => void;
}

const reportOf = ({ command, localPorts, far }: ExecRequest): ExecReport => ({
  schemaVersion: 1,
  command: [...command],
  localPorts: [...localPorts],
  far: far ?? null,
  networks: [],
  runs: [],
});

/** Every run over one path. @returns whether the user wants no more of them */
async function overPath(asked: PathRequest, request: ExecRequest, call: Call): Promise<boolean> {
  const { context, report, scope, setup, say } = call;
  context.progress.show(
    `${asked.check === 'left-out' ? 'making' : 'measuring'} the network ${asked.provider.id} …`,
  );
  const path = await unlessAborted(openPath(asked, scope, setup), context.signal);
  try {
    context.progress.clear();
    report.networks.push(path.description);
    checkWords(path).forEach(say);
    const link = await openCommandLink(path, scope, context);
    try {
      return await everyRun({ path, link }, request, call);
    } finally {
      await link.close();
    }
  } finally {
    await path.stop();
  }
}

/** A path, and where its commands ask of it. */
interface Behind {
  readonly path: OpenPath;
  readonly link: CommandLink;
}

/** The command over one path, so often as is asked. @returns whether the user wants no more of it */
async function everyRun(behind: Behind, request: ExecRequest, call: Call): Promise<boolean> {
  const { context, report, say } = call;
  for (let repetition = 1; repetition <= request.repeat; repetition += 1) {
    const { run, end } = await runOnce(behind, repetition, request, call);
    report.runs.push(run);
    if (request.jsonFile !== undefined) writeWhole(request.jsonFile, `${JSON.stringify(report, null, 1)}\n`);
    endWords(run).forEach(say);
    if (end.interrupted || context.signal.aborted) return true;
  }
  return false;
}

async function runOnce(
  { path, link }: Behind,
  repetition: number,
  { command }: ExecRequest,
  { scope, context, passSignals }: Call,
): Promise<{ readonly run: CommandRun; readonly end: CommandEnd }> {
  const network = networkName(path);
  const environment = {
    ...callersEnvironment(context),
    ...scope.environment,
    ...path.environment,
    ...link.environment,
    [networkVariable]: network,
    H2H3_FAR: path.farAddress,
  };
  const before = await path.counters();
  await link.begin(before);
  await path.begin(repetition);
  const startedAt = new Date().toISOString();
  const { prefix } = path;
  const watched = whileAlive(path);
  const signal = AbortSignal.any([context.signal, watched.signal]);
  const end = await runCommand({ command, prefix, environment, passSignals, signal }).finally(watched.stop);
  // Also where it ended since it was looked at last: what the command says of the network is worth nothing then.
  path.requireAlive();
  const counters = risen(await path.counters(), before);
  const flows = await path.flows();
  const { durationMs, exitCode, leftBehind } = end;
  const run = {
    network,
    repetition,
    startedAt,
    durationMs,
    exitCode,
    signal: end.signal,
    leftBehind,
    changes: link.changes(),
    counters,
    flows: flows === null ? null : [...flows],
  };
  return { run, end };
}

/** Looks whether the path is still there. @returns a signal that it is not */
function whileAlive(path: OpenPath): { readonly signal: AbortSignal; readonly stop: () => void } {
  const gone = new AbortController();
  const timer = setInterval(() => {
    try {
      path.requireAlive();
    } catch (thrown) {
      gone.abort(thrown);
    }
  }, lookEachMs);
  return { signal: gone.signal, stop: () => clearInterval(timer) };
}

const networkName = ({ description: { id } }: OpenPath): string => (id === loopback.id ? noNetwork : id);

/** The caller's variables without the one that h2h3's own launcher sets. */
function callersEnvironment({ environment }: AppContext): Record<string, string | undefined> {
  const { NODE_COMPILE_CACHE: cache, ...others } = environment;
  const isOwn = cache?.endsWith('h2h3/compile-cache') === true;
  return isOwn ? others : { ...environment };
}

/** Null for a command that can be run. */
async function notRunnableReason(
  [program = '']: readonly string[],
  { platform, environment }: SetupContext,
): Promise<{ readonly message: string; readonly exitCode: number } | null> {
  if (!program.includes('/')) {
    if ((await findOnPath(program, { platform, environment })) !== undefined) return null;
    return { message: `there is no command ${program}`, exitCode: notFound };
  }
  if (await isExecutable(program)) return null;
  if (statSync(program, { throwIfNoEntry: false }) === undefined)
    return { message: `there is no command ${program}`, exitCode: notFound };
  return { message: `${program} is no program that may be run`, exitCode: notExecutable };
}

/** Ends waiting where the user wants no more of it; the reaper ends what was under way. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const give = (): void => reject(new H2h3Error('interrupted', 'interrupted before the command began'));
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
  });
  return Promise.race([work, aborted]);
}
