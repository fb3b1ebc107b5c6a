import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureCaddy } from '../tools/caddy-binary.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { caddyConfig } from './caddy-config.ts';
import { untilAccepts } from './origin-processes.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { storagePrefix } from './files-in-memory.ts';
import type { ServerStartOptions } from './server.ts';

/** A program that hands out files over plain HTTP/1.1, behind a server that has no files of its own. */
export interface FilesOrigin {
  readonly socket: string;
  readonly process: ServerProcess;
}

/** Caddy on a Unix socket, where the server runs. @throws H2h3Error `process-failed` when it does not answer. */
export async function startFilesOrigin(
  options: ServerStartOptions,
  context: SetupContext,
): Promise<FilesOrigin> {
  const { path: caddy } = await ensureCaddy(context);
  const directory = path.join(options.workDir, 'files');
  await mkdir(directory, { recursive: true });
  const socket = path.join(options.workDir, 'files.sock');
  const config = caddyConfig({
    roots: options.roots.filter(({ origin }) => origin === undefined),
    plainSocket: socket,
    address: '',
    port: 0,
    certificates: [],
    storageDir: path.join(directory, 'storage'),
    accessLogFile: path.join(directory, 'access.log'),
    inheritedTcpSocket: null,
  });
  const file = path.join(directory, 'caddy.json');
  await writeFile(file, JSON.stringify(config, undefined, 1));
  const process = await startServerProcess({
    name: 'the files behind the server',
    command: [...options.launchPrefix, ...(await storagePrefix(options)), caddy, 'run', '--config', file],
    environment: options.environment,
    logFile: path.join(directory, 'caddy.log'),
  });
  try {
    await untilAccepts(process, socket, 'The files behind the server cannot be had');
  } catch (thrown) {
    await process.stop();
    throw thrown;
  }
  return { socket, process };
}
