/**
 * Runs a user's script against the browser that the harness started, over a pair of private pipes. The
 * script has a process to itself: it may loop without end, close what it was given, or end the process.
 */
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf } from '../../../src/core/model/errors.ts';
import { noSecretReason, withoutSecrets } from '../../../src/core/model/secrets.ts';
import { moduleFile } from '../../../src/core/system/module-file.ts';
import { PipeTransport } from '../browsers/chromium/pipe-transport.ts';
import { secretVariable, unsetVariableOf } from '../secret-variable.ts';
import { secretsOfScript } from '../secrets-of-script.ts';
import { collected, runtime } from './journey.ts';
import { playwrightPart } from './playwright-part.ts';
import { puppeteerPart, type JourneyFunction } from './puppeteer-part.ts';
import type { JourneyMessage, JourneyOrder, StepRunner } from './journey-script.ts';

const fromBrowser = 3;
const toBrowser = 4;
const ownModule = 'h2h3/journey';

type RunOrder = Extract<JourneyOrder, { type: 'run' }>;

const secrets = new Set<string>();
let proceed: () => void = () => undefined;

function say(message: JourneyMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}

function sayAndWait(message: JourneyMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    proceed = resolve;
    say(message).catch(reject);
  });
}

function keepSecret(value: string): void {
  if (!secrets.has(value)) void say({ type: 'secret', value });
  secrets.add(value);
}

/** File and line of the script in a line, or in lines, of a stack. */
function locationIn(stack: string, scriptFile: string): string {
  const found = stack
    .split('\n')
    .find((line) => line.includes(scriptFile) || line.includes(pathToFileURL(scriptFile).href));
  // Of what cannot be parsed the stack's head has no column.
  const line = /:(\d+)(?::\d+)?\)?$/.exec(found?.trim() ?? '')?.[1];
  return line === undefined ? basename(scriptFile) : `${basename(scriptFile)}:${line}`;
}

/** What a script threw, in one line and without what it must not say. */
function failure(thrown: unknown, scriptFile: string): JourneyMessage {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  // What follows is a log of the library, of which only what it waited for is told.
  const plain = messageOf(thrown).replaceAll(/\u001b\[\d+m/g, '');
  const [first = '', log = ''] = plain.split(/\n\s*Call log/);
  const [, awaited] = /^[^\w]*(waiting for .+)$/m.exec(log) ?? [];
  const line = `${first}${awaited === undefined ? '' : ` (${awaited})`}`.replaceAll(/\s*\n\s*/g, ' ');
  return {
    type: 'failed',
    message: withoutSecrets(line, [...secrets]),
    where: locationIn(stack, scriptFile),
    ...unsetVariableOf(thrown),
  };
}

/** Finer than `Date.now()`. */
const epochMs = (): number => performance.timeOrigin + performance.now();

/** Tells of a step before and after its work; one within another belongs to it. */
function stepRunner({ scriptFile, part }: RunOrder): StepRunner {
  let inner = false;
  const named = new Set<string>();
  return async (name, work, caller) => {
    if (inner || part === 'before') return work();
    if (named.has(name)) throw new Error(`two steps are named "${name}"`);
    named.add(name);
    inner = true;
    await sayAndWait({ type: 'step', name, where: locationIn(caller, scriptFile) });
    const startEpochMs = epochMs();
    const result: unknown = await work();
    const endEpochMs = epochMs();
    inner = false;
    await sayAndWait({ type: 'stepped', startEpochMs, endEpochMs });
    return result;
  };
}

async function run(order: RunOrder): Promise<JourneyMessage> {
  const { scriptFile, part } = order;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === ownModule
        ? { url: pathToFileURL(moduleFile('./journey.ts', import.meta.url)).href, shortCircuit: true }
        : next(specifier, context),
  });
  runtime.step = stepRunner(order);
  runtime.secret = (name) => {
    const value = secretVariable(name, order.url);
    keepSecret(value);
    return value;
  };
  secretsOfScript(scriptFile, process.env)
    .filter((value) => noSecretReason(value, order.url) === undefined)
    .forEach(keepSecret);
  const module = (await import(pathToFileURL(scriptFile).href)) as { readonly default?: JourneyFunction };
  // Sockets, because a read of a file would keep the process from ending.
  const transport = new PipeTransport(new Socket({ fd: toBrowser }), new Socket({ fd: fromBrowser }));
  const isTest = collected.tests.length > 0;
  if (!isTest && typeof module.default !== 'function')
    throw new Error(
      'it has neither a test nor a default export, such as `export default async ({ page, url, step }) => …`',
    );
  if (part === 'before' && collected.before.length === 0) return { type: 'done', state: null };
  const state = isTest
    ? await playwrightPart(order, transport)
    : await puppeteerPart(order, transport, module.default as JourneyFunction);
  return { type: 'done', state };
}

process.once('disconnect', () => process.exit(1));
process.on('message', (order: JourneyOrder) => {
  if (order.type === 'go') return proceed();
  run(order)
    .catch((thrown: unknown) => failure(thrown, order.scriptFile))
    .then(say)
    .then(() => process.exit(0))
    .catch(() => process.exit(1));
});
// What comes of no step is the script's failure all the same.
process.on('unhandledRejection', (thrown) => {
  const scriptFile = process.argv[2] ?? fileURLToPath(import.meta.url);
  void say(failure(thrown, scriptFile)).then(() => process.exit(1));
});
