import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRecords, runCli } from '../support/cli.ts';
import { twoPorts } from '../support/live-site.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { ownAddress } from '../support/own-address.ts';
import { answers, ownServer } from '../support/own-server.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';

test('two servers that a run starts are its arms, over a shaped path', async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip('this machine has no address but its loopback');
  if (process.getuid?.() !== 0) return t.skip('only root may lead a path out of its namespace');
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const [one, other] = await twoPorts();
  const servers = [
    await ownServer(t, { address, port: one }),
    await ownServer(t, { address, port: other }),
  ] as const;
  const [{ folder, certificateFile }] = servers;
  const plan = {
    arms: servers.map(({ url }) => `h3+url=${url}`),
    clients: ['best'],
    networks: ['cable'],
    live: {
      ca: certificateFile,
      connectTo: servers.map(({ leads }) => leads),
      server: servers.map((own) => ({ command: own.caddyFor(['h1', 'h2', 'h3']), ready: own.url })),
    },
  };
  const file = join(folder, 'plan.yaml');
  const out = join(folder, 'run');
  writeFileSync(file, JSON.stringify(plan));
  const { code, stderr } = await runCli(
    ['run', file, '--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start', '--out', out],
    {
      OWN_TITLE: 'title',
    },
  );
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  const late = records.find(({ reason: why }) => machineWasLate(why));
  if (late !== undefined) return t.skip(late.reason);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records.map(({ reason: why }) => why))}`);
  assert.deepEqual(
    records.map(({ status, network, factors }) => [status, network, factors.url]).toSorted(),
    servers.map(({ url }) => ['ok', 'cable', url]).toSorted(),
  );
  for (const { port } of servers) assert.equal(await answers(port, address), false, 'it has ended');
});
