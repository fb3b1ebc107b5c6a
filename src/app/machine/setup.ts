import {
  describeEmbeddedChromium,
  ensureEmbeddedChromium,
} from '../../../harness/clients/browsers/embedded-chromium.ts';
import { commandClients } from '../../../harness/clients/commands/registry.ts';
import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { ensureEmulatorPrograms } from '../../../harness/network/emulator-programs.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import { ensureCaddy } from '../../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../../harness/tools/certificates.ts';
import { ensureFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import { systemSetup } from '../../../harness/tools/system-setup.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

export interface SetupOptions {
  /** Also install the system's packages, by apt-get, and fetch every server and command-line client. Default: no. */
  readonly system?: boolean | undefined;
  /** Parts that few need, such as `webkit`; with `system`. Default: none. */
  readonly with?: readonly string[] | undefined;
}

/** Fetches and builds the programs that runs need; returns a line for each thing. */
export async function setup(options: SetupOptions, context: AppContext): Promise<string[]> {
  const setupContext = await setupContextOf(context);
  if (options.system !== true) {
    if (options.with === undefined)
      return [
        ...(await install(setupContext)),
        ...(await fetchEach([pathEmulator(setupContext)], setupContext)),
      ];
    throw new H2h3Error('usage', '--with says what --system installs besides', { next: 'Give both.' });
  }
  await systemSetup(setupContext, (line) => context.progress.say(line), options.with);
  const needed = await install(setupContext);
  // What is fetched waits for the network, what is built for the CPU: they go well together.
  const more = await Promise.all([
    setUpEmbedded(setupContext),
    fetchEach([pathEmulator(setupContext), ...serversOf(setupContext)], setupContext),
    fetchEach(commandClientsOf(setupContext), setupContext),
  ]);
  return [...needed, ...more.flat()];
}

async function setUpEmbedded(context: SetupContext): Promise<string[]> {
  if ((await describeEmbeddedChromium(context)) === undefined) return [];
  const { name, version, executablePath } = await ensureEmbeddedChromium(context);
  return [`${name} ${version}: ${executablePath}`];
}

/**
 * Everything that the default runs need: what is there is used, the rest is built, downloaded or unpacked.
 * A second call finds all of it and changes nothing.
 * @returns a line for each thing, saying which version is used and where it lies.
 * @throws H2h3Error `unsupported` for the first thing that cannot be had.
 */
async function install(context: SetupContext): Promise<string[]> {
  const caddy = await ensureCaddy(context);
  const certificates = await openCertificateStore({ cache: context.cache });
  const browser = await resolveClient('best', context);
  const ffmpeg = await ensureFfmpeg(context);
  return [
    `Caddy ${caddy.version}: ${caddy.path}`,
    `Certificate key (SHA-256 ${certificates.spkiHash}): ${context.cache.directory}`,
    `${browser.name} ${browser.version}: ${browser.executablePath}`,
    `ffmpeg ${ffmpeg.version}: ${ffmpeg.path}`,
  ];
}

interface Fetchable {
  readonly name: string;
  /** Fetches or builds it, and says what it is and where. */
  readonly ensure: () => Promise<string>;
}

/** What shaped networks are made by; runs go over loopback without it. */
const pathEmulator = (context: SetupContext): Fetchable => ({
  name: 'Path emulator',
  ensure: async () => {
    const { emulator, compiler } = await ensureEmulatorPrograms(context);
    return `Path emulator (${compiler}): ${emulator}`;
  },
});

const serversOf = (context: SetupContext): readonly Fetchable[] =>
  serverSoftware.map(({ name, builtWhenNamed, find, ensure }) => ({
    name,
    ensure: async () => {
      if (builtWhenNamed === true && (await find(context)) === undefined)
        return `${name}: built by the first run that names it, which takes minutes`;
      const { version, place } = await ensure(context);
      return `${name} ${version}: ${place}`;
    },
  }));

const commandClientsOf = (context: SetupContext): readonly Fetchable[] =>
  commandClients.flatMap(({ title, tool }) =>
    tool === undefined ? [] : { name: title, ensure: async () => `${title}: ${await tool.ensure(context)}` },
  );

/** A line for each, with the reason where it cannot be had. */
async function fetchEach(all: readonly Fetchable[], { signal }: SetupContext): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, ensure } of all) {
    try {
      lines.push(await ensure());
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof H2h3Error)) throw thrown;
      lines.push(`${name}: unsupported here: ${messageOf(thrown)}`);
    }
  }
  return lines;
}
