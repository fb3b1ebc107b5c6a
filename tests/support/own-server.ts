import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { lightBrowser, projectDir, startCli, type CliResult, type RunningCli } from './cli.ts';
import { tempFolder } from './temp-folder.ts';

export interface OwnServer {
  readonly port: number;
  readonly folder: string;
  readonly url: string;
  /** As `--connect-to` takes it. */
  readonly leads: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Command line of a Caddy that speaks these protocols there. */
  caddyFor(protocols: readonly string[]): string;
  /** A run of the address whose server this command starts. */
  start(command: string, ...flags: readonly string[]): RunningCli;
  run(command: string, ...flags: readonly string[]): Promise<CliResult>;
}

/** @param place where it listens; by default where only this machine reaches it */
export async function ownServer(
  t: TestContext,
  place?: { readonly address: string; readonly port: number },
): Promise<OwnServer> {
  const setup = await createSetupContext({ projectDir });
  const certificates = await openCertificateStore({ cache: setup.cache });
  const { certificateFile, keyFile } = await certificates.filesFor('localhost');
  const caddy = (await ensureCaddy(setup)).path;
  const { address, port } = place ?? { address: '127.0.0.1', port: await choosePort(undefined) };
  const folder = tempFolder(t);
  const url = `https://localhost:${port}/`;
  const start: OwnServer['start'] = (command, ...flags) =>
    startCli(
      [
        'run',
        '--url',
        url,
        ...way,
        '--server-command',
        command,
        ...lightBrowser,
        '--repetitions',
        '1',
        '--exploratory',
        '--quick-start',
        ...flags,
      ],
      { OWN_TITLE: 'title-out-of-the-environment' },
    );
  const leads = `localhost:${port}:${address}:${port}`;
  const way = ['--ca', certificateFile, '--connect-to', leads];
  return {
    port,
    folder,
    url,
    leads,
    certificateFile,
    keyFile,
    caddyFor: (protocols) => {
      const body = '<!doctype html><link rel=icon href="data:,"><title>own</title>text';
      const own = {
        listen: [`${address}:${port}`],
        protocols,
        automatic_https: { disable: true },
        tls_connection_policies: [{}],
        routes: [
          {
            handle: [{ handler: 'static_response', headers: { 'Content-Type': ['text/html'] }, body }],
          },
        ],
      };
      const loaded = { certificates: { load_files: [{ certificate: certificateFile, key: keyFile }] } };
      const file = join(folder, `${protocols.join('-')}.json`);
      const apps = { http: { servers: { own } }, tls: loaded };
      const admin = { disabled: true, config: { persist: false } };
      writeFileSync(file, JSON.stringify({ admin, apps }));
      return `${caddy} run --config ${file}`;
    },
    start,
    run: (...words) => start(...words).result,
  };
}

/** Whether anybody accepts connections there. */
export function answers(port: number, address = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
