import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listClients, type ListedClient } from '../../harness/clients/list-clients.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { projectDir, readPlan, readRecords, startCli } from './cli.ts';
import { armsOf, matrixPage, matrixWorkloads } from './client-matrix.ts';

/**
 * Loads one object and one body of 10 MB with every client that is set up here, from every server, over both protocols,
 * and writes what came of it: `npm run matrix`. Each client is a run of its own below `results/`, a minute or so; what
 * was measured before is kept, so that the matrix can be made in parts: `npm run matrix -- curl firefox` measures these
 * (anew where they were measured) and writes the page of all that there is.
 */
const target = join(projectDir, 'docs/client-matrix.md');
const folderOf = ({ id }: ListedClient): string => join(projectDir, 'results', `client-matrix-${id}`);

const asked = process.argv.slice(2);
const clients = await listClients(await createSetupContext({ projectDir }));
const unknown = asked.filter((id) => !clients.some((client) => client.id === id));
if (unknown.length > 0) throw new Error(`no client is called ${unknown.join(', ')}`);

function isDone(folder: string): boolean {
  return (
    existsSync(join(folder, 'summary.json')) && readRecords(folder).length === readPlan(folder).trials.length
  );
}

async function measure(client: ListedClient): Promise<void> {
  const folder = folderOf(client);
  const again = asked.includes(client.id);
  if (client.found === null || (asked.length > 0 && !again) || (!again && isDone(folder))) return;
  if (again) rmSync(folder, { recursive: true, force: true });
  const words = ['run', '--workload', matrixWorkloads.join(','), '--repetitions', '1', '--exploratory'];
  const arms = armsOf(client).flatMap((arm) => ['--arm', arm]);
  const goOn = existsSync(join(folder, 'plan.json'));
  const cli = startCli(goOn ? ['run', '--resume', folder] : [...words, '--out', folder, ...arms]);
  cli.child.stderr?.pipe(process.stderr);
  await cli.result;
}

for (const client of clients) await measure(client);
const folders = clients.map(folderOf).filter((folder) => existsSync(join(folder, 'journal.jsonl')));
writeFileSync(target, await matrixPage(clients, folders.flatMap(readRecords)));
