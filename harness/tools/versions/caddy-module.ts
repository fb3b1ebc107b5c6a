import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../../src/core/model/errors.ts';
import { findOnPath } from '../../../src/core/system/find-executable.ts';
import { tailOf } from '../../../src/core/system/run-program.ts';
import { isPrerelease } from '../version-order.ts';
import type { SetupContext } from '../setup-context.ts';
import type { VersionSource } from './version-source.ts';

const moduleName = 'github.com/caddyserver/caddy/v2';
const mainFile = fileURLToPath(new URL('../caddy-build/main.go', import.meta.url));
/** As the build that is pinned: data bases for certificates of Caddy's own authority, which is not used. */
const leftOut = 'nobadger,nomysql,nopgx';
const askLimitMs = 60_000;
const buildLimitMs = 15 * 60_000;

const listSchema = z.object({ Versions: z.array(z.string()).optional() });
const downloadSchema = z.object({ Sum: z.string() });

async function go(
  words: readonly string[],
  directory: string,
  timeoutMs: number,
  context: SetupContext,
): Promise<string> {
  const result = await context.run('go', [...words], {
    timeoutMs,
    cwd: directory,
    environment: { ...context.environment, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' },
    signal: context.signal,
  });
  if (result.exitCode === 0) return result.stdout;
  throw new H2h3Error('unsupported', `go ${words[0] ?? ''} failed`, {
    context: { stderrTail: tailOf(result.stderr) },
  });
}

/** A folder with a Go module of its own, and what is done in it. */
async function inModule<Result>(
  directory: string,
  context: SetupContext,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(directory, { recursive: true });
  try {
    await go(['mod', 'init', 'h2h3/caddy'], directory, askLimitMs, context);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Caddy's own module, built with Go. Its digest is what Go's database of checksums says, or what the module proxy serves
 * where that database is switched off.
 *
 * @param isOffered which versions serve here
 */
export function caddyModule(file: string, isOffered: (version: string) => boolean): VersionSource {
  return {
    title: `the Go module ${moduleName}, built here in one to five minutes`,
    unsupported: async (context) =>
      (await findOnPath('go', context)) === undefined ? 'Go is not on PATH' : undefined,
    available: async (context) => {
      const scratch = path.join(context.cache.directory, `caddy-versions-${process.pid}`);
      const text = await inModule(scratch, context, (folder) =>
        go(['list', '-m', '-versions', '-json', moduleName], folder, askLimitMs, context),
      );
      const { Versions = [] } = parsedIn(text, listSchema, 'which versions there are');
      return Versions.map((name) => name.replace(/^v/, ''))
        .filter((version) => !isPrerelease(version) && isOffered(version))
        .map((version) => ({
          version,
          release: version,
          origin: `Go module ${moduleName}`,
          integrity: null,
        }));
    },
    fill: (offered, directory, context) =>
      inModule(path.join(directory, 'module'), context, async (folder) => {
        const title = `Building Caddy ${offered.version} with Go (one to five minutes, once)`;
        context.progress({ title });
        await copyFile(mainFile, path.join(folder, 'main.go'));
        const spec = `${moduleName}@v${offered.version}`;
        const told = await go(['mod', 'download', '-json', spec], folder, buildLimitMs, context);
        await go(['get', spec], folder, buildLimitMs, context);
        const build = ['build', '-tags', leftOut, '-o', path.join(directory, file), '.'];
        await go(build, folder, buildLimitMs, context);
        return parsedIn(told, downloadSchema, 'the digest of the module').Sum;
      }),
  };
}

/** @throws H2h3Error `unsupported` where Go says something else than `what` */
function parsedIn<Parsed>(text: string, schema: z.ZodType<Parsed>, what: string): Parsed {
  try {
    return schema.parse(JSON.parse(text));
  } catch (thrown) {
    throw new H2h3Error('unsupported', `Go does not say ${what}: ${messageOf(thrown)}`);
  }
}
