/** What the proofs of h2h3-link as a package have in common: a user, its folders, this machine's browsers, a server. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { startProgram, projectDir, type CliResult } from '../support/cli.ts';
import { ordinaryUser, type OrdinaryUser } from '../support/ordinary-user.ts';
import { packLinkInto, runToEnd } from '../support/packed.ts';

const page = `<!doctype html><title>shop</title><link rel="icon" href="data:,"><p>${'shop '.repeat(2_000)}</p>`;

export interface LinkWorld {
  readonly folder: string;
  readonly tarball: string;
  readonly user: OrdinaryUser;
  /** Of a server that stands for somebody's own, which every page may ask. */
  readonly port: number;
  /** Requests that it has answered. */
  readonly answered: () => number;
  /** An empty folder that belongs to the user. */
  readonly emptyFolder: (name: string) => string;
  /** Makes what is below a folder the user's own. */
  readonly give: (path: string) => void;
  /** Runs a command line there as the user, or as who runs this. */
  readonly run: (line: string, cwd: string, as?: 'user' | 'self') => Promise<CliResult>;
  readonly close: () => void;
}

/** @throws Error where there can be no network for an ordinary user here */
export async function openLinkWorld(): Promise<LinkWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'h2h3-link-'));
  chmodSync(folder, 0o755);
  const user = ordinaryUser(join(folder, 'user'));
  if (typeof user === 'string') {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(user);
  }
  const tarball = packLinkInto(folder);
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const give = (path: string): void => {
    if (process.getuid?.() === 0) runToEnd(['chown', '-R', `${user.userId}:${user.userId}`, path], folder);
  };
  // The Node that runs this, and its npm.
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  return {
    folder,
    tarball,
    user,
    port: (server.address() as AddressInfo).port,
    answered: () => requests,
    give,
    emptyFolder: (name) => {
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      give(own);
      return own;
    },
    run: async (line, cwd, as = 'user') => {
      const prefix = as === 'user' ? user.prefix : [];
      const environment = { PATH: path, ...(as === 'user' ? user.environment : {}) };
      const result = await startProgram([...prefix, 'sh', '-c', line], environment, { cwd }).result;
      if (as === 'self') give(cwd);
      return result;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Unpacks a packed h2h3-link where npm would install it below a folder. @returns its own folder */
export function unpackLink(tarball: string, folder: string): string {
  const own = join(folder, 'node_modules', 'h2h3-link');
  mkdirSync(own, { recursive: true });
  runToEnd(['tar', 'xzf', tarball, '--strip-components=1', '-C', own], folder);
  return own;
}

/** The program of a browser of this machine, or why there is none. */
export async function browserHere(
  name: 'chromium' | 'firefox',
): Promise<{ readonly program: string } | string> {
  const setup = await createSetupContext({ projectDir });
  const found = await resolveClient(name, setup).catch((thrown: unknown) => messageOf(thrown));
  return typeof found === 'string' ? found : { program: found.executablePath };
}

/**
 * Puts this machine's Chromium where a Playwright that is installed in `cwd` looks for its own, which no package registry has.
 *
 * @returns the folder of browsers, for PLAYWRIGHT_BROWSERS_PATH
 */
export function standInBrowsers(world: Pick<LinkWorld, 'folder'>, cwd: string, program: string): string {
  const browsers = join(world.folder, 'browsers');
  const script = "import { chromium } from 'playwright-core'; console.log(chromium.executablePath())";
  const asked = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: browsers },
  });
  const whole = asked.stdout.trim();
  if (!whole.startsWith(browsers))
    throw new Error(`Playwright does not say where its Chromium is: ${asked.stderr}`);
  // Headless it starts the shell, which lies next to the whole browser.
  const shell = whole.replace(
    /chromium-(\d+)\/chrome-([^/]+)\/chrome$/,
    'chromium_headless_shell-$1/chrome-headless-shell-$2/chrome-headless-shell',
  );
  for (const file of [whole, shell]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nexec '${program}' "$@"\n`, { mode: 0o755 });
  }
  return browsers;
}
