import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listClients } from '../../harness/clients/list-clients.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { projectDir, readRecords, startCli } from './cli.ts';
import {
  arrivalOf,
  isSeenByClient,
  overtakingOf,
  schedulingArms,
  schedulingPage,
  type SchedulingRow,
} from './scheduling-matrix.ts';

/**
 * Loads the page of a late urgent picture twice with each client that is named (default: Chromium and Firefox), from each
 * server that is named (default: all), and writes in which order its objects ended: `npm run scheduling -- firefox go`. Other
 * rows of the page stay.
 */
const target = join(projectDir, 'docs/clients-and-servers.md');
const asked = process.argv.slice(2);
const clients = await listClients(await createSetupContext({ projectDir }));
const browsers = clients.filter(({ id }) =>
  asked.includes(id) ? true : ['chromium', 'firefox'].includes(id),
);
const measured = browsers.filter(
  ({ id }) => !clients.some((one) => asked.includes(one.id)) || asked.includes(id),
);
const named = serverSoftware.filter(({ id }) => asked.includes(id));
const browserServers = serverSoftware.filter(({ scope }) => scope === undefined);
const servers = (named.length === 0 ? browserServers : named).map(({ id }) => id);

/** Slow enough that eight bodies fill it for four seconds; its queue is 64 KB. */
const network = {
  up: { rateMbps: 5, queueBytes: 64_000, delayMs: 25 },
  down: { rateMbps: 5, queueBytes: 64_000, delayMs: 25 },
};

async function rowsOf({ id, found }: (typeof clients)[number]): Promise<SchedulingRow[]> {
  if (found === null) return [];
  const arms = schedulingArms(id, servers);
  const folder = join(projectDir, 'results', `scheduling-${id}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const plan = `${folder}.json`;
  const request = {
    workloads: ['page-late-image'],
    networks: ['slow-5mbit'],
    customNetworks: { 'slow-5mbit': network },
    arms,
    repetitions: 2,
    recordedBlocks: 0,
    exploratory: true,
  };
  writeFileSync(plan, JSON.stringify(request));
  const cli = startCli(['run', plan, '--out', folder]);
  cli.child.stderr?.pipe(process.stderr);
  await cli.result;
  if (!existsSync(join(folder, 'journal.jsonl'))) return [];
  const records = readRecords(folder);
  return arms.map((arm) => {
    const told = isSeenByClient(arm) ? arrivalOf : overtakingOf;
    const own = records.filter((record) => record.arm === arm);
    const loads = own
      .filter(({ status }) => status === 'ok')
      .flatMap(({ trialId }) => told(readEvidence(join(folder, 'trials', trialId)).raw) ?? []);
    const bad = own.find(({ status }) => status !== 'ok');
    return {
      client: id,
      version: found.version,
      arm,
      loads,
      ...(bad?.reason === undefined ? {} : { reason: bad.reason }),
    };
  });
}

const rows: SchedulingRow[] = [];
for (const client of measured) rows.push(...(await rowsOf(client)));
writeFileSync(target, await schedulingPage(rows, readFileSync(target, 'utf8')));
