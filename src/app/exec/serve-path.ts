import { mkdtemp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { loopback } from '../../../harness/network/loopback.ts';
import type { NetworkProvider } from '../../../harness/network/network.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { shellWord } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { underLockLimit } from '../../core/system/processes/lock-limit.ts';
import { limitForCommand } from '../../core/system/processes/marked-processes.ts';
import { openRunScope, type RunScope } from '../../core/system/processes/run-scope.ts';
import type { AppContext } from '../app-context.ts';
import { checkWords } from './exec-words.ts';
import { linkSettings, requireReachable, requireSettings } from './link-settings.ts';
import type { OwnNetwork } from './link-types.ts';
import { requireListeners } from './local-listeners.ts';
import { networkNamed, pathSetupOf } from './network-named.ts';
import { openPath, type OpenPath } from './open-path.ts';
import { isOwnNetwork, ownNetwork, ownNetworkName } from './own-network.ts';
import { answerOf, failureAnswer, readAs, type PathAnswer } from './path-answers.ts';
import { pathOrderSchema, pathQuestionSchema } from './path-message.ts';
import { requireNoLink } from './second-link.ts';

/**
 * Keeps a path up for another program until that closes `input`, however it ends; then the path ends, with everything that
 * was started behind it. Reads an order and questions, answers each by a line.
 */
export async function servePath(
  input: NodeJS.ReadableStream,
  send: (line: string) => void,
  context: AppContext,
): Promise<void> {
  const answer = (message: PathAnswer): void => send(`${JSON.stringify(message)}\n`);
  const reader = createInterface({ input });
  context.signal.addEventListener('abort', () => reader.close(), { once: true });
  const lines = reader[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  if (first === undefined) return;
  const scope = await openRunScope((sentence) => context.progress.say(sentence));
  const failureOf = (thrown: unknown): PathAnswer => failureAnswer(thrown, context);
  try {
    const path = await pathFor(first, scope, context);
    answer({ type: 'open', description: path.description, lines: checkWords(path) });
    for await (const line of { [Symbol.asyncIterator]: () => lines })
      answer(await answerTo(line, path, scope).catch(failureOf));
    await path.stop();
  } catch (thrown) {
    answer(failureOf(thrown));
  } finally {
    await scope.reaper.finish();
  }
}

function named(network: string | null, setup: SetupContext): NetworkProvider {
  if (network !== null) return networkNamed(network, setup);
  throw new H2h3Error('usage', 'no network is named', {
    next: `Name one, or give figures such as down: '10mbit' and rtt: '80ms'. \`${setup.program.networkList}\` lists the names.`,
  });
}

function ofFigures(network: string | null, own: OwnNetwork, setup: SetupContext): NetworkProvider {
  if (network === null) return networkNamed(ownNetworkName, setup, [ownNetwork(own)]);
  throw new H2h3Error('usage', `a link has one network, and figures are given next to the name ${network}`, {
    next: 'Leave out the name or the figures. Factors change a network that has a name.',
  });
}

async function pathFor(order: string, scope: RunScope, context: AppContext): Promise<OpenPath> {
  const { network, own, set, localPorts, listenersRequired, check } = readAs(pathOrderSchema, order);
  const setup = await pathSetupOf(context);
  const settings = linkSettings(set, setup.program);
  const provider = isOwnNetwork(own) ? ofFigures(network, own, setup) : named(network, setup);
  requireSettings(provider, settings);
  const reach = { localPorts, far: undefined, world: 'where-possible' as const };
  if (provider.id !== loopback.id) {
    requireNoLink(context.environment);
    requireReachable(settings, reach);
    if (listenersRequired) await requireListeners(localPorts);
  }
  await provider.require?.({ settings: [settings], builds: true });
  const asked = { provider, settings, ...reach };
  return openPath({ ...asked, check: check ? 'reported' : 'left-out', checkDepth: 'quick' }, scope, setup);
}

async function answerTo(line: string, path: OpenPath, scope: RunScope): Promise<PathAnswer> {
  const question = readAs(pathQuestionSchema, line);
  path.requireAlive();
  switch (question.type) {
    case 'wrap':
      return wrap(question.program, path, scope);
    case 'begin':
      await path.begin(question.seed);
      return { type: 'begun' };
    case 'change':
    case 'count':
      return answerOf(question, path);
  }
}

/** The one that is started last would be the only one that a program is behind. */
const wrappedName = 'behind-path';

/** A script that starts the program at the near end of the path, as the same process; each has a folder of its own. */
async function wrap(program: string, path: OpenPath, scope: RunScope): Promise<PathAnswer> {
  if (basename(program) === wrappedName)
    throw new H2h3Error('unsupported', `${program} starts a program behind a network already`, {
      next: 'Wrap the program itself, by the one link that it is to be behind.',
    });
  const folder = await mkdtemp(join(scope.tempDir, 'wrapped-'));
  const file = join(folder, wrappedName);
  const startedFile = join(folder, 'started');
  const marks = Object.entries(scope.environment).map(([name, value]) => `${name}=${value}`);
  // What it starts without these variables is found by its limit when the network ends.
  const limited = underLockLimit(limitForCommand(scope.environment), [...path.prefix, program]);
  const words = ['env', ...marks, ...limited].map(shellWord).join(' ');
  await writeFile(file, `#!/bin/sh\n: > ${shellWord(startedFile)}\nexec ${words} "$@"\n`, { mode: 0o700 });
  return { type: 'wrapped', file, startedFile };
}
