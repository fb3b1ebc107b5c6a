import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempFolder } from './temp-folder.ts';

export interface CaddySetting {
  /** By name, as Caddy's own configuration has them. */
  readonly servers: Readonly<Record<string, object>>;
  readonly files: readonly { readonly certificateFile: string; readonly keyFile: string }[];
}

/** The configuration of a Caddy, as it reads it. */
export function caddyDocument({ servers, files }: CaddySetting): object {
  const loaded = files.map(({ certificateFile, keyFile }) => ({
    certificate: certificateFile,
    key: keyFile,
  }));
  return {
    admin: { disabled: true },
    apps: { http: { servers }, tls: { certificates: { load_files: loaded } } },
  };
}

/** A Caddy that no run started; it ends with the test. */
export async function startCaddy(t: TestContext, program: string, setting: CaddySetting): Promise<void> {
  const file = join(tempFolder(t), 'caddy.json');
  writeFileSync(file, JSON.stringify(caddyDocument(setting)));
  const server = spawn(program, ['run', '--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => server.kill('SIGKILL'));
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let waited = 0; !said.includes('serving initial configuration'); waited += 50) {
    if (server.exitCode !== null || waited > 120_000) throw new Error(`Caddy did not start: ${said}`);
    await sleep(50);
  }
}
