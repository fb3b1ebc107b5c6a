import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRunScope } from '../../system/processes/run-scope.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import type { RunningServer } from '../../../harness/servers/server.ts';
import { openCertificateStore } from '../../../harness/tools/certificates.ts';
import { archiveWorkload } from '../../../sites/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import { choosePort } from '../../system/free-port.ts';
import { prepareWorkloads } from '../../app/run/prepare-run.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import { shellWord } from '../shell-word.ts';
import type { AddCommand } from './command.ts';

interface Flags {
  readonly port?: string;
  readonly thinkTime?: boolean;
}

const pollMs = 500;

const examples = `
Examples:
  h2h3 replay .h2h3/archives/example.org
  h2h3 run --sites .h2h3/archives/example.org      measure it instead`;

export const addReplayCommand: AddCommand = (program, context) => {
  program
    .command('replay')
    .description(
      'serve a recorded site over H1, H2 and H3 until Ctrl-C, and name every request without an answer',
    )
    .argument('<archive>', 'folder that `h2h3 record` made')
    .option('--port <n>', 'port of the server, TCP and UDP (default: 8443 or the next free one)')
    .option('--think-time', 'wait as long as the recorded servers did before the first byte')
    .addHelpText('after', examples)
    .action((archive: string, flags: Flags) => replay(archive, flags, context));
};

async function replay(archive: string, flags: Flags, context: AppContext): Promise<void> {
  const setup = await setupContextOf(context);
  const workload = archiveWorkload(archive, { thinkTime: flags.thinkTime === true });
  const port = await choosePort(flags.port === undefined ? undefined : portOf(flags.port));
  const prepared = (await prepareWorkloads([workload], port, setup)).get(workload.id);
  const [provider] = serverProviders(setup);
  if (!prepared || !provider) throw new H2h3Error('internal', 'nothing to serve, or no server');
  const certificates = await openCertificateStore({ cache: setup.cache });
  const scope = await openRunScope();
  try {
    const server = await provider.start({
      roots: prepared.roots,
      ...{ address: '127.0.0.1', port, certificates, launchPrefix: [] },
      workDir: join(scope.tempDir, 'server'),
      environment: scope.environment,
    });
    const hosts = prepared.roots.map(({ host }) => host);
    context.progress.clear();
    context.print(
      `${workload.title}: ${hosts.length} hosts on 127.0.0.1:${port}, H1, H2 and H3; Ctrl-C ends it`,
    );
    const rules = [...hosts.map((host) => `MAP ${host} 127.0.0.1:${port}`), 'MAP * ~NOTFOUND'].join(',');
    const words = [
      `--ignore-certificate-errors-spki-list=${certificates.spkiHash}`,
      `--host-resolver-rules=${rules}`,
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      'url' in prepared.entry ? prepared.entry.url : '',
    ];
    context.print(`chromium --user-data-dir=$(mktemp -d) ${words.map(shellWord).join(' ')}`);
    context.print('  with --disable-quic for H2, with --origin-to-force-quic-on=* for H3');
    await tellMisses(server, context);
    await server.stop();
  } finally {
    await scope.reaper.finish();
  }
}

/** A page that asks for something new for ever must not fill the terminal. */
const mostTold = 200;

/** Until the user asks to stop, or the server is gone. */
async function tellMisses(server: RunningServer, context: AppContext): Promise<void> {
  const sinceEpochMs = Date.now();
  const told = { misses: 0, inexact: 0, missed: 0 };
  while (!context.signal.aborted && server.alive()) {
    await sleep(pollMs, undefined, { signal: context.signal }).catch(() => undefined);
    const ledger = await server.ledgerSince?.(sinceEpochMs);
    if (ledger === undefined) continue;
    const { misses, inexact, missed = misses.length } = ledger;
    for (const { method, url } of misses.slice(told.misses, mostTold))
      context.print(`not in the archive: ${method} ${url}`);
    for (const { method, url, found } of inexact.slice(told.inexact, mostTold))
      context.print(`answered, but not exactly (${found}): ${method} ${url}`);
    if (missed > mostTold && missed > told.missed)
      context.print(`${missed - Math.max(mostTold, told.missed)} more requests are not in the archive`);
    Object.assign(told, { misses: misses.length, inexact: inexact.length, missed });
  }
  if (!context.signal.aborted) throw new H2h3Error('process-failed', 'the server ended by itself');
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new H2h3Error('usage', `--port wants a number from 1 to 65535, got "${text}"`);
}
