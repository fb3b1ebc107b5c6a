import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listClients, type ListedClient } from '../../harness/clients/list-clients.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { projectDir, readPlan, readRecords, startCli } from './cli.ts';
import { armsOf, matrixPage, matrixServers, matrixWorkloads } from './client-matrix.ts';

/**
 * Loads one object and one body of 10 MB with every client that is set up here, from every server, over both protocols,
 * and writes what came of it: `npm run matrix`. Each client is a run of its own below `results/`, a minute or so.
 * `npm run matrix -- curl firefox nginx` measures some clients or servers alone: these clients, and these servers where any
 * is named. What is not measured keeps what the page said of it.
 */
const target = join(projectDir, 'docs/clients-and-servers.md');
const folderOf = ({ id }: ListedClient): string => join(projectDir, 'results', `client-matrix-${id}`);

const asked = process.argv.slice(2);
// These load live addresses alone.
const clients = (await listClients(await createSetupContext({ projectDir }))).filter(
  ({ id }) => id !== 'webkit' && id !== 'android',
);
const known = [...clients.map(({ id }) => id), ...matrixServers];
const unknown = asked.filter((id) => !known.includes(id));
if (unknown.length > 0) throw new Error(`no client and no server is called ${unknown.join(', ')}`);
const askedServers = matrixServers.filter((id) => asked.includes(id));
const servers = askedServers.length > 0 ? askedServers : matrixServers;
const askedClients = clients.filter(({ id }) => asked.includes(id));
const measured = askedClients.length > 0 ? askedClients : clients;

function isDone(folder: string): boolean {
  return (
    existsSync(join(folder, 'summary.json')) && readRecords(folder).length === readPlan(folder).trials.length
  );
}

async function measure(client: ListedClient): Promise<void> {
  const folder = folderOf(client);
  const again = asked.length > 0;
  if (client.found === null || (!again && isDone(folder))) return;
  if (again) rmSync(folder, { recursive: true, force: true });
  const words = [
    'run',
    '--workload',
    matrixWorkloads.join(','),
    '--repetitions',
    '1',
    '--exploratory',
    '--recorded',
    '0',
  ];
  const arms = armsOf(client, servers).flatMap((arm) => ['--arm', arm]);
  const goOn = existsSync(join(folder, 'plan.json'));
  const cli = startCli(goOn ? ['run', '--resume', folder] : [...words, '--out', folder, ...arms]);
  cli.child.stderr?.pipe(process.stderr);
  await cli.result;
}

for (const client of measured) await measure(client);
const folders = measured.map(folderOf).filter((folder) => existsSync(join(folder, 'journal.jsonl')));
writeFileSync(target, await matrixPage(clients, folders.flatMap(readRecords), readFileSync(target, 'utf8')));
