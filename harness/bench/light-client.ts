import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../../src/model/errors.ts';
import { findOnPath } from '../../src/system/find-executable.ts';
import type { SetupContext } from '../tools/setup-context.ts';

const sourceDir = fileURLToPath(new URL('light-client/', import.meta.url));
/** Raise it when the program's source changes: caches keep what was built under this name. */
const builtName = 'light-client-2';
const buildPatienceMs = 300_000;

export interface LightDownload {
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * Builds the light client (Go, the QUIC library that Caddy has) into the cache, or finds it there.
 * @throws H2h3Error `unsupported` without Go, `process-failed` when it cannot be built.
 */
export async function ensureLightClient(context: SetupContext): Promise<string> {
  const name = context.platform === 'win32' ? 'light-client.exe' : 'light-client';
  if (await context.cache.isInstalled(builtName))
    return path.join(context.cache.directoryOf(builtName), name);
  const go = await findOnPath('go', context);
  if (go === undefined)
    throw new H2h3Error('unsupported', 'there is no light client: Go is not on PATH to build it', {
      next: 'Install Go, or leave the server headroom unmeasured.',
    });
  const directory = await context.cache.install(builtName, async (target) => {
    context.progress({ title: 'Building the light client with Go (once)' });
    const result = await context.run(go, ['build', '-C', sourceDir, '-o', path.join(target, name), '.'], {
      timeoutMs: buildPatienceMs,
      environment: { ...context.environment, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
      signal: context.signal,
    });
    if (result.exitCode !== 0)
      throw new H2h3Error('process-failed', 'the light client could not be built', {
        context: { stderrTail: result.stderr.slice(-2000) },
      });
  });
  return path.join(directory, name);
}

export interface LightDownloadOptions {
  readonly file: string;
  readonly protocol: 'h2' | 'h3';
  readonly url: string;
  /** IP address and port of the server. */
  readonly address: string;
  /** Words before the command line: CPU pinning. */
  readonly prefix: readonly string[];
}

/** Downloads once and throws the body away. @throws H2h3Error `process-failed` with what the program said. */
export async function downloadLightly(
  context: SetupContext,
  options: LightDownloadOptions,
): Promise<LightDownload> {
  const { file, protocol, url, address } = options;
  const words = [...options.prefix, file, '-protocol', protocol, '-address', address, url];
  const [program = file, ...rest] = words;
  const result = await context.run(program, rest, { timeoutMs: 120_000, signal: context.signal });
  if (result.exitCode !== 0)
    throw new H2h3Error('process-failed', `the light client failed over ${protocol}`, {
      context: { stderrTail: result.stderr.trim() },
    });
  return JSON.parse(result.stdout) as LightDownload;
}
