import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { knownClients } from '../../harness/clients/client-catalogue.ts';
import type { ListedClient } from '../../harness/clients/list-clients.ts';
import { projectDir } from '../support/cli.ts';
import { matrixPage, matrixServers } from '../support/client-matrix.ts';
import { trialRecord } from '../support/trial-record.ts';

const matrixFile = 'docs/clients-and-servers.md';

test('the page of the matrix has every client and every server (npm run matrix)', () => {
  const [, text = ''] = readFileSync(join(projectDir, matrixFile), 'utf8').split(
    /<!-- (?:made by|end of).*-->/,
  );
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(head.slice(3, -1), matrixServers);
  const clients = [...knownClients.map(({ id }) => id), 'embedded'];
  assert.deepEqual(
    rows.map(([, client]) => client),
    clients.map((id) => `\`${id}\``),
  );
});

test('what is not measured again keeps what the page said, with its reason', async () => {
  const page = readFileSync(join(projectDir, matrixFile), 'utf8');
  const listed = (here: string): ListedClient[] =>
    [...knownClients.map(({ id }) => id), 'embedded'].map((id) => {
      const found = id === here ? { version: '154.0', protocols: ['h2', 'h3'] } : null;
      return { id, found } as ListedClient;
    });
  const none = await matrixPage(listed('none'), [], page);
  const rowsOf = (text: string): string[] => text.split('\n').filter((line) => /^(\||\d)/.test(line));
  assert.deepEqual(rowsOf(none), rowsOf(page));
  const reason = 'the server answered nothing';
  const failed = trialRecord({ arm: 'firefox:h3+server=nginx', status: 'failed', reason });
  const changed = await matrixPage(listed('firefox'), [failed], page);
  assert.match(changed, /\| `firefox` +\| 154\.0 +\| 2, 3 +\| 2, not 3 \(1\) +\| 2, 3/);
  assert.match(changed, /^1\. failed: the server answered nothing$/m);
  assert.match(changed, /\| `curl` +\|[^|]+\| 2, 3 +\| 2, 3 +\| 2, not 3 \(2\)/);
});
