/**
 * Sees that what clients upload comes to the sink behind every server, over both protocols, by count and SHA-256, on loopback:
 *
 *     npm run verify:uploads [-- --clients chromium,firefox,curl,quic-go] [--servers caddy,nginx,haproxy,envoy,go]
 *         [--workloads upload-1mb,upload-form] [--repetitions 1]; upload-form-xhr is for browsers alone
 *
 * Prints how long each took. A trial that is neither ok nor `unsupported` fails it. About two minutes with what is above.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, startCli } from '../support/cli.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: 'chromium,firefox,curl,quic-go' },
    servers: { type: 'string', default: 'caddy,nginx,haproxy,envoy,go' },
    workloads: { type: 'string', default: 'upload-1mb,upload-form' },
    repetitions: { type: 'string', default: '1' },
  },
});
const folder = mkdtempSync(join(os.tmpdir(), 'h2h3-uploads-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Digests of what came, by workload: one each, as all clients send the same. */
const digests = new Map<string, Set<string>>();
const troubles: string[] = [];

async function seeClient(client: string): Promise<void> {
  const out = join(folder, client.replaceAll(/\W/g, '-'));
  const arms = values.servers
    .split(',')
    .flatMap((server) => ['h2', 'h3'].map((protocol) => `${protocol}+server=${server}`));
  const asked = ['run', '--workload', values.workloads, '--client', client, '--arms', arms.join(',')];
  const more = ['--repetitions', values.repetitions, '--recorded', '0', '--exploratory', '--out', out];
  const { child, result } = startCli([...asked, '--network', 'loopback', ...more]);
  child.stderr?.pipe(process.stderr);
  await result;
  for (const { trialId, arm, workload, status, reason, metrics } of readRecords(out)) {
    const about = `${client} ${workload} ${arm}`;
    if (status !== 'ok') {
      say(`${about}: ${status}, ${reason}`);
      if (status !== 'unsupported') troubles.push(about);
      continue;
    }
    const [line] = readEvidence(join(out, 'trials', trialId)).raw.arrived ?? [];
    digests.set(workload, (digests.get(workload) ?? new Set()).add(line?.sha256 ?? 'none'));
    say(`${about}: ${line?.bytes} bytes in ${Number(metrics['uploadMs']).toFixed(1)} ms`);
  }
}

try {
  for (const client of values.clients.split(',')) await seeClient(client);
  assert.deepEqual(troubles, [], 'trials that are neither ok nor unsupported');
  assert.equal(digests.size, values.workloads.split(',').length, 'every workload was uploaded');
  for (const [workload, found] of digests) assert.equal(found.size, 1, `${workload}: ${[...found].join()}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
